// Guessing what a column holds whose header no program writes: from likely names and words, in English and in the tables' languages.

internal import Bytes

/// Likely names of columns.
enum ColumnGuess {
  /// What a column probably holds; nil for a name that says nothing. `names` are all heads of the row, plain; `taken` is what other
  /// columns hold.
  static func meaning(of head: String, among names: [String], taken: Set<String>) -> String? {
    let plain = SheetVocabulary.plain(head)
    if let meaning = ambiguous(plain, names) ?? synonyms[plain] { return free(meaning, taken) }
    if let meaning = words(head, names) { return free(meaning, taken) }
    if let meaning = programs[plain] { return free(meaning, taken) }
    return nil
  }

  /// Names that mean one thing beside some columns and another beside others.
  private static func ambiguous(_ plain: String, _ names: [String]) -> String? {
    func has(_ words: [String]) -> Bool { names.contains { words.contains($0) } }
    let givenNames = ["firstname", "givenname", "vorname", "prénom", "nombre", "first"]
    switch plain {
    case "name": return has(givenNames) && !has(["surname", "lastname", "familyname"]) ? "name.family" : "fullName"
    case "nom": return has(givenNames) ? "name.family" : "fullName"
    case "title": return has(["jobtitle", "position", "role", "job"]) ? "name.prefix" : "titles.1"
    default: return nil
    }
  }

  private static let synonyms: [String: String] = {
    let rows = """
      fullName=full name|contact|contact name|display name|formatted name|fn|nom complet|nombre completo|nome completo|vollständiger name|\
      anzeigename|naam|imię i nazwisko|person
      name.given=first|first name|given name|given|forename|prenom
      name.middle=middle|middle name|middle initial|additional name|second name
      name.family=last|last name|surname|family name|family|nachname|zuname|nom de famille
      name.prefix=prefix|salutation|honorific|anrede|name prefix
      name.suffix=suffix|name suffix
      nicknames=nick|alias|nickname|nick name|preferred name
      organizations.1.name=organization|organisation|company name|employer|firm|firma|unternehmen|entreprise|empresa|azienda|bedrijf|\
      account name|company|org|business
      organizations.1.units=department|dept|division|team|abteilung|unit
      titles.1=job|job title|position|occupation|designation|beruf|funktion|fonction|cargo|puesto
      roles.1=role|profession
      notes.1=note|notes|comment|comments|remarks|remark|description|memo|bemerkung|bemerkungen|notiz|notizen|anmerkungen|commentaires|\
      remarques|notas|observaciones|note 1
      categories=tags|tag|group|groups|category|categories|labels|list|lists|gruppe|gruppen|kategorie|étiquettes|grupo|grupos
      birthday=bday|birthday|birth date|birthdate|date of birth|dob|born|geburtsdatum|geburtstag|geb datum|date de naissance|\
      fecha de nacimiento|data di nascita|geboortedatum|data urodzenia
      anniversary=anniversary|wedding anniversary|hochzeitstag|wedding date
      gender=sex|gender|geschlecht
      languages.1=language|sprache
      timeZone=time zone|timezone|tz
      related.spouse=spouse|partner|wife|husband
      related.child=children|child|kids
      related.manager=manager|supervisor|boss
      related.assistant=assistant
      socialProfiles.linkedin=linkedin|linkedin url|linkedin profile
      socialProfiles.twitter=twitter|x twitter|twitter handle
      socialProfiles.facebook=facebook|facebook url
      socialProfiles.instagram=instagram
      socialProfiles.mastodon=mastodon
      socialProfiles.github=github
      instantMessages.skype=skype|skype id|skype name
      instantMessages.whatsapp=whatsapp
      instantMessages.telegram=telegram
      instantMessages.signal=signal
      instantMessages.xmpp=jabber|xmpp
      instantMessages.aim=aim
      instantMessages.icq=icq
      instantMessages.yahoo=yahoo|yahoo id
      instantMessages.matrix=matrix
      uid=uid|uuid|contact id
      photos.1.uri=photo|photo url|picture|image url|avatar
      """
    var found: [String: String] = [:]
    for line in rows.split(separator: "\n") {
      guard let row = SheetVocabulary.rows(String(line.prefix { $0 != "|" })).first else { continue }
      for name in [row.meaning] + line.split(separator: "|").dropFirst().map(String.init) { found[SheetVocabulary.plain(name)] = row.name }
    }
    return found
  }()

  /// What all programs' columns hold, by plain name: the first program counts.
  private static let programs: [String: String] = {
    var found: [String: String] = [:]
    for vocabulary in SheetVocabulary.english + SheetVocabulary.localized {
      for (name, meanings) in vocabulary.meanings where found[name] == nil && name.count > 2 { found[name] = meanings.first }
    }
    return found
  }()

  // MARK: Words

  /// What a word says of the value, the stronger first.
  private static let kinds: [(kind: String, words: Set<String>)] = [
    ("email", ["email", "mail", "emails", "courriel", "correo", "emailadresse", "mailadresse", "posta"]),
    ("fax", ["fax", "telefax", "télécopie"]),
    (
      "mobile",
      [
        "mobile", "cell", "cellphone", "cellular", "handy", "mobil", "mobiltelefon", "portable", "móvil", "movil", "cellulare", "gsm",
        "handynummer", "mobilnummer",
      ]
    ),
    ("pager", ["pager", "beeper"]),
    ("zip", ["zip", "zipcode", "postcode", "postal", "plz", "postleitzahl", "cap", "cp"]),
    ("city", ["city", "town", "ort", "stadt", "wohnort", "ville", "ciudad", "città", "locality", "plaats", "miasto"]),
    ("state", ["state", "province", "region", "county", "bundesland", "kanton", "provincia", "région"]),
    ("country", ["country", "land", "pays", "país", "pais", "paese", "kraj"]),
    ("birthday", ["birthday", "birth", "geburtstag", "geburtsdatum"]),
    (
      "phone",
      [
        "phone", "telephone", "tel", "telefon", "téléphone", "tél", "teléfono", "telefono", "phones", "telefonnummer", "rufnummer",
        "festnetz", "landline", "call",
      ]
    ),
    ("url", ["url", "web", "website", "webseite", "site", "homepage", "internet", "www", "link", "sito", "sitio", "webpage"]),
    (
      "street",
      [
        "street", "address", "addr", "straße", "strasse", "str", "adresse", "anschrift", "rue", "calle", "dirección", "direccion", "via",
        "indirizzo", "adres",
      ]
    ),
  ]
  private static let contexts: [(label: String, words: Set<String>)] = [
    ("home", ["home", "private", "personal", "privat", "private", "personnel", "perso", "domicile", "casa", "particular", "thuis"]),
    (
      "work",
      [
        "work", "business", "office", "professional", "geschäftlich", "dienstlich", "büro", "firma", "bureau", "professionnel", "trabajo",
        "lavoro", "ufficio", "werk", "company",
      ]
    ),
    ("other", ["other", "andere", "weitere", "autre", "otro"]),
  ]
  private static let fillers: Set<String> = [
    "number", "no", "nr", "num", "nummer", "numero", "número", "numéro", "e", "code", "line", "page", "date", "of", "day", "primary",
    "main", "the", "de", "id", "address", "adresse", "du", "value", "1st", "2nd",
  ]

  /// A column whose name is made of words that all say something, such as `Phone (work) 2`.
  private static func words(_ head: String, _ names: [String]) -> String? {
    var words: [String] = []
    var word = ""
    var last: Character?
    for c in head {
      let breaks = c.isNumber != (last?.isNumber ?? c.isNumber) || c.isUppercase && last?.isLowercase == true
      if !(c.isLetter || c.isNumber) || breaks {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if c.isLetter || c.isNumber { word.append(c) }
      last = c
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    var number: Int?
    var service: String?
    var (labels, found) = ([String](), Set<String>())
    for word in words {
      if let value = Int(word) {
        number = value
      } else if let context = contexts.first(where: { $0.words.contains(word) }) {
        if !labels.contains(context.label) { labels.append(context.label) }
      } else if let kind = kinds.first(where: { $0.words.contains(word) }) {
        found.insert(kind.kind)
      } else if let known = MessagingService.word(word), service == nil {
        service = known
      } else if !fillers.contains(word) {
        return nil
      }
    }
    if let service, found.isEmpty { return "instantMessages." + service + labels.map { "." + $0 }.joined() }
    guard service == nil, let kind = kinds.first(where: { found.contains($0.kind) })?.kind else { return nil }
    let context = labels.map { "." + $0 }.joined()
    let place = number.map { $0 > 0 && $0 < 100 ? ".\($0)" : "" } ?? ""
    switch kind {
    case "email": return "emails" + context + (context.isEmpty && place.isEmpty ? ".1" : place)
    case "fax", "mobile", "pager": return "phones" + context + "." + kind + place
    case "phone": return "phones" + context + (context.isEmpty && place.isEmpty ? ".1" : place)
    case "url": return "urls" + context + (context.isEmpty && place.isEmpty ? ".1" : place)
    case "birthday": return "birthday"
    default:
      let part = ["zip": "postalCode", "city": "city", "state": "region", "country": "country"][kind] ?? "street"
      // A second line of a street belongs to the first.
      return "addresses" + (context.isEmpty ? ".1" : context) + "." + part
    }
  }

  /// The meaning, or that of the next value of its field, where another column has it already.
  private static func free(_ meaning: String, _ taken: Set<String>) -> String? {
    guard taken.contains(meaning) else { return meaning }
    if meaning.hasSuffix(".street") || meaning == "categories" || meaning == "name.middle" { return meaning }
    guard let path = FieldPath(meaning), !Person.fields[path.field].isOne, path.components.isEmpty, path.lineName == nil else { return nil }
    let base = path.place == nil ? meaning : String(meaning.prefix { !$0.isNumber }.dropLast())
    for number in 2..<50 where !taken.contains("\(base).\(number)") { return "\(base).\(number)" }
    return nil
  }
}
