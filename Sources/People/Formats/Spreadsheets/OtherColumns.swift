// The spreadsheets of Thunderbird, Yahoo, LinkedIn, Roundcube, and of telephones that flatten a vCard into a row.

extension SheetDialect {
  static let thunderbird = SheetDialect(
    name: "Thunderbird",
    columns: """
      First Name=name.given|Last Name=name.family|Display Name=fullName|Nickname=nicknames|Primary Email=emails.1|\
      Secondary Email=emails.2|Screen Name=instantMessages.aim|Work Phone=phones.work|Home Phone=phones.home|Fax Number=phones.fax|\
      Pager Number=phones.pager|Mobile Number=phones.mobile|Home Address=addresses.home.street|Home Address 2=addresses.home.extended|\
      Home City=addresses.home.city|Home State=addresses.home.region|Home ZipCode=addresses.home.postalCode|\
      Home Country=addresses.home.country|Work Address=addresses.work.street|Work Address 2=addresses.work.extended|\
      Work City=addresses.work.city|Work State=addresses.work.region|Work ZipCode=addresses.work.postalCode|\
      Work Country=addresses.work.country|Job Title=titles.1|Department=organizations.1.units|Organization=organizations.1.name|\
      Web Page 1=urls.work|Web Page 2=urls.home|Birth Year==year|Birth Month==month|Birth Day==day|Custom 1=unclaimed.X-CUSTOM1|\
      Custom 2=unclaimed.X-CUSTOM2|Custom 3=unclaimed.X-CUSTOM3|Custom 4=unclaimed.X-CUSTOM4|Notes=notes.1
      """, languages: [.thunderbird])

  /// The columns of Thunderbird's own export, in their order.
  static let thunderbirdExport = SheetVocabulary.rows(thunderbird.columns).map(\.name)

  static let yahoo = SheetDialect(
    name: "Yahoo",
    columns: """
      First=name.given|Middle=name.middle|Last=name.family|Nickname=nicknames|Email=emails.1|Category=categories|\
      Distribution Lists=categories|Messenger ID=instantMessages.yahoo|Home=phones.home|Work=phones.work|Pager=phones.pager|\
      Fax=phones.fax|Mobile=phones.mobile|Other=phones.other|Yahoo! Phone=phones.yahoo|Primary==primaryPhone|\
      Alternate Email 1=emails.2|Alternate Email 2=emails.3|Personal Website=urls.home|Business Website=urls.work|Title=titles.1|\
      Company=organizations.1.name|Work Address=addresses.work.street|Work City=addresses.work.city|Work State=addresses.work.region|\
      Work ZIP=addresses.work.postalCode|Work Country=addresses.work.country|Home Address=addresses.home.street|\
      Home City=addresses.home.city|Home State=addresses.home.region|Home ZIP=addresses.home.postalCode|\
      Home Country=addresses.home.country|Birthday=birthday|Anniversary=anniversary|Custom 1=unclaimed.X-CUSTOM1|\
      Custom 2=unclaimed.X-CUSTOM2|Custom 3=unclaimed.X-CUSTOM3|Custom 4=unclaimed.X-CUSTOM4|Comments=notes.1|\
      Messenger ID1=instantMessages.yahoo.2|Messenger ID2=instantMessages.yahoo.3|Messenger ID3=instantMessages.yahoo.4|\
      Messenger ID4=instantMessages.yahoo.5|Messenger ID5=instantMessages.yahoo.6|Messenger ID6=instantMessages.yahoo.7|\
      Messenger ID7=instantMessages.yahoo.8|Messenger ID8=instantMessages.yahoo.9|Messenger ID9=instantMessages.yahoo.10|\
      Skype ID=instantMessages.skype|IRC ID=instantMessages.irc|ICQ ID=instantMessages.icq|Google ID=instantMessages.google-talk|\
      MSN ID=instantMessages.msn|AIM ID=instantMessages.aim|QQ ID=instantMessages.qq
      """, dates: .monthDay)

  static let linkedIn = SheetDialect(
    name: "LinkedIn",
    columns: """
      First Name=name.given|Last Name=name.family|URL=urls.linkedin|Email Address=emails.1|Company=organizations.1.name|\
      Position=titles.1|Connected On=dates.connected on
      """, dates: .dayMonth)

  static let roundcube = SheetDialect(
    name: "Roundcube",
    columns: """
      Display Name=fullName|Title=name.prefix|First Name=name.given|Middle Name=name.middle|Last Name=name.family|Suffix=name.suffix|\
      Nickname=nicknames|Company=organizations.1.name|Department=organizations.1.units|Job Title=titles.1|Email Home=emails.home|\
      Email Work=emails.work|Email Other=emails.other|Home Phone=phones.home.1|Home Phone 2=phones.home.2|\
      Business Phone=phones.work.1|Business Phone 2=phones.work.2|Home Mobile=phones.mobile|Primary Phone==primaryPhone|\
      Home Fax=phones.home.fax|Business Fax=phones.work.fax|Car Phone=phones.car|Pager=phones.pager|Phone Video=phones.video|\
      Assistant's Phone=phones.assistant|Other Phone=phones.other|Home Street=addresses.home.street|Home City=addresses.home.city|\
      Home State=addresses.home.region|Home Zip=addresses.home.postalCode|Home Country=addresses.home.country|\
      Business Street=addresses.work.street|Work City=addresses.work.city|Work State=addresses.work.region|\
      Work Zip=addresses.work.postalCode|Work Country=addresses.work.country|Other Street=addresses.other.street|\
      Other City=addresses.other.city|Other State=addresses.other.region|Other Postal Code=addresses.other.postalCode|\
      Other Country/Region=addresses.other.country|Gender=gender|Birthday=birthday|Maiden Name=maidenName|Anniversary=anniversary|\
      Manager's Name=related.manager|Assistant's Name=related.assistant|Spouse=related.spouse|Notes=notes.1|\
      IM Aim=instantMessages.aim|IM Icq=instantMessages.icq|IM Jabber=instantMessages.xmpp|IM Msn=instantMessages.msn|\
      IM Skype=instantMessages.skype|IM Yahoo=instantMessages.yahoo|Website Blog=urls.blog|Website Home Page=urls.homepage|\
      Website Other=urls.other|Website Profile=urls.profile|Website Work=urls.work|Categories=categories
      """, dates: .dayMonth)

  /// A vCard flattened into a row, as IP telephones write it.
  static let flattenedCard = SheetDialect(
    name: "a telephone",
    columns: """
      FN=fullName|N==structuredName|EMAIL=emails.1|TEL_HOME=phones.home|TEL_WORK=phones.work|TEL_MOBILE=phones.mobile|\
      TEL_OTHER=phones.other|TEL_FAX=phones.fax|TEL_CUSTOM=phones.1|COMPANY=organizations.1.name|TITLE=titles.1|\
      ADDR_MAIN=addresses.home.formatted|ADDR_OTHER=addresses.other.formatted|IMS=instantMessages.1.handle|WEB=urls.1|NOTES=notes.1|\
      BIRTHDAY=birthday|X-IRMC-LUID=unclaimed.X-IRMC-LUID|GROUP=categories|PHOTOPATH=unclaimed.X-PHOTOPATH|PHOTO=unclaimed.X-PHOTO-TEXT|\
      END=-
      """)
}
