// A JSContact document with every object type of RFC 9553 comes back from vCard with all that it held.
import Bytes
import CardSyntax
import DataSyntax
import People
import Testing

/// The texts, numbers and words of a JSON value, each with its path; but for `@type`, which only tells what the place tells already.
private func leaves(_ text: String) throws -> [String: String] {
  var reader = JSONReader(Array(text.utf8))
  var found: [String: String] = [:]
  var path: [String] = []
  var counts: [Int?] = []
  func place() -> String {
    if let count = counts.last, let count { "\(path.joined(separator: "/"))/\(count)" } else { path.joined(separator: "/") }
  }
  func passed() {
    if let count = counts.last, let count { counts[counts.count - 1] = count + 1 } else if !path.isEmpty { path.removeLast() }
  }
  while true {
    let token = try reader.next()
    switch token {
    case .end: return found
    case .key: path.append(reader.text.text().replacing("/", with: "~1"))
    case .beginObject, .beginArray:
      if let count = counts.last, let count { path.append("\(count)") }
      counts.append(token == .beginArray ? 0 : nil)
    case .endObject, .endArray:
      if counts.removeLast() == 0 { found[path.joined(separator: "/")] = "[]" }
      if let count = counts.last, count != nil { path.removeLast() }
      passed()
    case .string, .number, .true, .false, .null:
      let value = token == .string || token == .number ? reader.text.text() : "\(token)"
      if path.last != "@type" || path.count == 1 || value == "Timestamp" { found[place()] = value }
      passed()
    }
  }
}

private let document = #"""
  {
   "@type":"Card","version":"1.0","uid":"urn:uuid:22b2c7df-9120-4969-8460-05956fe6b065","kind":"individual","language":"en",
   "prodId":"-//Example//Book 1//EN","created":"2022-09-30T14:35:10Z","updated":"2023-10-31T22:27:10Z",
   "members":{"urn:uuid:03a0e51f-d1aa-4385-8a53-e29025acd8af":true},
   "relatedTo":{"urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6":{"@type":"Relation","relation":{"friend":true,"colleague":true}},
    "Please ask Sam":{"@type":"Relation","relation":{"agent":true}}},
   "name":{"@type":"Name","full":"Mr. John Philip Stevenson, Jr.","isOrdered":true,"defaultSeparator":" ",
    "sortAs":{"surname":"Stevenson","given":"John"},"phoneticSystem":"ipa","phoneticScript":"Latn",
    "components":[{"@type":"NameComponent","kind":"title","value":"Mr."},{"kind":"given","value":"John","phonetic":"ˈdʒɑːn"},
     {"kind":"given2","value":"Philip"},{"kind":"surname","value":"Stevenson"},{"kind":"separator","value":", "},
     {"kind":"generation","value":"Jr."},{"kind":"credential","value":"M.D."},{"kind":"surname2","value":"Quill"}]},
   "nicknames":{"k391":{"@type":"Nickname","name":"Johnny","contexts":{"private":true},"pref":1}},
   "organizations":{"o1":{"@type":"Organization","name":"ABC, Inc.","sortAs":"ABC","contexts":{"work":true},
    "units":[{"@type":"OrgUnit","name":"North; America","sortAs":"NA"},{"name":"Marketing"}]}},
   "speakToAs":{"@type":"SpeakToAs","grammaticalGender":"neuter","pronouns":{
    "k19":{"@type":"Pronouns","pronouns":"they/them","contexts":{"work":true},"pref":2},"k32":{"pronouns":"xe/xir","pref":1}}},
   "titles":{"le9":{"@type":"Title","kind":"title","name":"Research Scientist"},
    "k2":{"@type":"Title","kind":"role","name":"Project Leader","organizationId":"o1"}},
   "emails":{"e1":{"@type":"EmailAddress","address":"john@example.com","contexts":{"work":true}},
    "e2":{"address":"j@example.com","pref":1,"label":"Boat house"}},
   "onlineServices":{"x1":{"@type":"OnlineService","uri":"xmpp:alice@example.com","vCardName":"impp","contexts":{"private":true},"pref":4,
    "label":"chat"},"x2":{"service":"Mastodon","user":"@alice@example.com","uri":"https://example.com/@alice"}},
   "phones":{"tel0":{"@type":"Phone","number":"tel:+1-555-555-0100;ext=55","contexts":{"private":true},"pref":1,"label":"Main",
    "features":{"voice":true,"mobile":true,"text":true,"video":true,"fax":true,"pager":true,"textphone":true,"main-number":true}},
    "tel3":{"number":"+1 201 555 0123"}},
   "preferredLanguages":{"l1":{"@type":"LanguagePref","language":"en","contexts":{"work":true},"pref":1},"l2":{"language":"fr","pref":2}},
   "calendars":{"c1":{"@type":"Calendar","kind":"calendar","uri":"webcal://example.com/a.ics","mediaType":"text/calendar",
    "contexts":{"work":true},"pref":1,"label":"team"},"fb":{"kind":"freeBusy","uri":"https://example.com/fb"}},
   "schedulingAddresses":{"s1":{"@type":"SchedulingAddress","uri":"mailto:j@example.com","contexts":{"private":true},"pref":3,"label":"home"}},
   "addresses":{"k23":{"@type":"Address","contexts":{"work":true,"billing":true,"delivery":true},"countryCode":"US","defaultSeparator":", ",
    "isOrdered":true,"full":"54321 Oak St\nReston","coordinates":"geo:46.772673,-71.282945","timeZone":"Etc/GMT-5","pref":1,
    "phoneticSystem":"x-own","components":[{"@type":"AddressComponent","kind":"number","value":"54321","phonetic":"five"},
     {"kind":"separator","value":" "},{"kind":"name","value":"Oak St"},{"kind":"locality","value":"Reston"},{"kind":"region","value":"VA"},
     {"kind":"separator","value":" "},{"kind":"postcode","value":"20190"},{"kind":"country","value":"USA"}]},
    "k25":{"components":[{"kind":"postOfficeBox","value":"9"},{"kind":"room","value":"12"},{"kind":"floor","value":"2"},
     {"kind":"apartment","value":"3"},{"kind":"building","value":"B"},{"kind":"block","value":"4"},{"kind":"direction","value":"N"},
     {"kind":"landmark","value":"L"},{"kind":"subdistrict","value":"S"},{"kind":"district","value":"D"}]}},
   "cryptoKeys":{"key1":{"@type":"CryptoKey","uri":"https://example.com/j.cer","mediaType":"application/pkix-cert","label":"key",
    "contexts":{"work":true},"pref":2}},
   "directories":{"d1":{"@type":"Directory","kind":"entry","uri":"https://example.com/j.vcf","mediaType":"text/vcard","label":"d","pref":9,
    "contexts":{"work":true}},"d2":{"kind":"directory","uri":"ldap://example.com/o=Tech","pref":1,"listAs":2}},
   "links":{"link3":{"@type":"Link","kind":"contact","uri":"mailto:contact@example.com","pref":1},
    "link4":{"uri":"https://example.com","label":"site","mediaType":"text/html","contexts":{"private":true}}},
   "media":{"m1":{"@type":"Media","kind":"sound","uri":"CID:part8@example.com"},
    "m2":{"kind":"logo","uri":"https://example.com/l.jpg","mediaType":"image/jpeg"},
    "m3":{"kind":"photo","uri":"data:image/gif;base64,R0lGODlhAQABAAAAACw=","pref":1,"label":"p","contexts":{"work":true}}},
   "anniversaries":{"k8":{"@type":"Anniversary","kind":"birth","date":{"@type":"PartialDate","year":1953,"month":4,"day":15,
     "calendarScale":"gregorian"},"place":{"@type":"Address","full":"Bern"}},
    "k9":{"kind":"death","date":{"@type":"Timestamp","utc":"2019-10-15T23:10:00Z"},"place":{"full":"4445 Tree Street\nND 58647"}},
    "k10":{"kind":"wedding","date":{"year":1986,"month":4}},"k11":{"kind":"x-boat","date":{"month":5}}},
   "keywords":{"internet":true,"I, E":true},
   "notes":{"n1":{"@type":"Note","note":"Mon-Fri; \"10, 12\"","created":"2022-11-23T15:01:32Z",
    "author":{"@type":"Author","name":"John","uri":"mailto:john@example.com"}}},
   "personalInfo":{"pi2":{"@type":"PersonalInfo","kind":"expertise","value":"chemistry","level":"high","listAs":1,"label":"Chem"},
    "pi1":{"kind":"hobby","value":"reading","level":"medium"},"pi6":{"kind":"interest","value":"r&b music","level":"low"}},
   "localizations":{"jp":{"name/components/1/value":"ジョン","titles/le9/name":"研究員","name/full":"ジョン"},
    "de":{"addresses/k25/components":[{"kind":"locality","value":"Köln"}],"notes/n1/note":"Sprechstunde",
     "speakToAs":{"grammaticalGender":"feminine"}}},
   "example.com:foo":{"bar":[1,2.50,null,true,{"x":"y"},[]]},
   "vCardProps":[["x-foo",{"group":"item1","x-bar":"Hello"},"unknown","World"],["x-int",{},"integer",7]],
   "emailsOfOld":{"a":{"b":[]}},"phonesOfOld":"x"
  }
  """#

@Suite struct JSContactDocumentTests {
  /// What conversion adds: groups that tie titles to organizations, ALTID for what has other languages (RFC 9555 2.3.11).
  private static func isAddition(_ path: String) -> Bool { path.hasSuffix("/vCardParams/group") || path.hasSuffix("/vCardParams/altid") }

  @Test func everyObjectTypeComesBack() throws {
    let card = convert(document, .jscontact, to: .vcard4)
    #expect(card.findings.allSatisfy { $0.severity == .info })
    let back = convert(card.text, .vcard4, to: .jscontact)
    let (wanted, found) = (try leaves(document), try leaves(String(back.text.dropFirst(2).dropLast(3))))
    #expect(wanted.count > 200)
    for (path, value) in wanted.sorted(by: { $0.key < $1.key }) { #expect(found[path] == value, "\(path)") }
    for (path, value) in found where wanted[path] == nil { #expect(Self.isAddition(path), "\(path): \(value)") }
    // From there on nothing changes any more.
    let again = convert(convert(back.text, .jscontact, to: .vcard4).text, .vcard4, to: .jscontact)
    #expect(try leaves(String(again.text.dropFirst(2).dropLast(3))) == found)
  }
}
