// Outlook and its relatives as spreadsheets: the desktop's columns, Outlook.com's, Google's "Outlook CSV", Windows Live Mail's.

extension SheetDialect {
  /// Outlook in all generations, with and without blanks in its names. Windows Live Mail, Google's export for Outlook and Google's client for
  /// shared contacts use the same names for the same things.
  static let outlook = SheetDialect(
    name: "Outlook",
    columns: """
      Title=name.prefix|First Name=name.given|Middle Name=name.middle|Last Name=name.family|Suffix=name.suffix|Name=fullName|\
      Nickname=nicknames|Given Yomi=name.phonetic.given|Surname Yomi=name.phonetic.family|Company=organizations.1.name|\
      Department=organizations.1.units|Job Title=titles.1|Company Yomi=unclaimed.X-PHONETIC-ORG|\
      Business Address=addresses.work.formatted|Business Street=addresses.work.street|Business Street 2=addresses.work.street#2|\
      Business Street 3=addresses.work.street#3|Business City=addresses.work.city|Business State=addresses.work.region|\
      Business Postal Code=addresses.work.postalCode|Business Country=addresses.work.country|\
      Business Country/Region=addresses.work.country|Business Address PO Box=addresses.work.poBox|PO Box=addresses.work.poBox|\
      Office Location=addresses.work.extended|\
      Home Address=addresses.home.formatted|Home Street=addresses.home.street|Home Street 2=addresses.home.street#2|\
      Home Street 3=addresses.home.street#3|Home City=addresses.home.city|Home State=addresses.home.region|\
      Home Postal Code=addresses.home.postalCode|Home Country=addresses.home.country|Home Country/Region=addresses.home.country|\
      Home Address PO Box=addresses.home.poBox|\
      Other Address=addresses.other.formatted|Other Street=addresses.other.street|Other Street 2=addresses.other.street#2|\
      Other Street 3=addresses.other.street#3|Other City=addresses.other.city|Other State=addresses.other.region|\
      Other Postal Code=addresses.other.postalCode|Other Country=addresses.other.country|\
      Other Country/Region=addresses.other.country|Other Address PO Box=addresses.other.poBox|\
      Assistant's Phone=phones.assistant|Business Fax=phones.work.fax|Business Phone=phones.work.1|Business Phone 2=phones.work.2|\
      Callback=phones.callback|Car Phone=phones.car|Company Main Phone=phones.work.main|Home Fax=phones.home.fax|\
      Home Phone=phones.home.1|Home Phone 2=phones.home.2|ISDN=phones.isdn|Mobile Phone=phones.mobile|Other Fax=phones.other.fax|\
      Other Phone=phones.other|Pager=phones.pager|Primary Phone==primaryPhone|Radio Phone=phones.radio|TTY/TDD Phone=phones.textphone|\
      Telex=phones.telex|E-mail Address=emails.1|E-mail Type==emailType1|E-mail Display Name==emailName1|E-mail 2 Address=emails.2|\
      E-mail 2 Type==emailType2|E-mail 2 Display Name==emailName2|E-mail 3 Address=emails.3|E-mail 3 Type==emailType3|\
      E-mail 3 Display Name==emailName3|IMAddress=instantMessages.1.handle|Web Page=urls.work|Business Web Page=urls.work|\
      Personal Web Page=urls.home|Birthday=birthday|Anniversary=anniversary|Gender=gender|Hobby=hobbies.1|Profession=roles.1|\
      Language=languages.1|Language 1=languages.1|Notes=notes.1|Categories=categories|Keywords=unclaimed.X-KEYWORDS|\
      Assistant's Name=related.assistant|Manager's Name=related.manager|Spouse=related.spouse|Children=related.child|\
      Referred By=related.referred by|Schools=unclaimed.X-SCHOOLS|Initials==initials|Internet Free Busy=freeBusy.1|\
      Location=unclaimed.X-LOCATION|Account=unclaimed.X-ACCOUNT|Billing Information=unclaimed.X-BILLING-INFORMATION|\
      Directory Server=unclaimed.X-DIRECTORY-SERVER|Government ID Number=unclaimed.X-GOVERNMENT-ID|Mileage=unclaimed.X-MILEAGE|\
      Organizational ID Number=unclaimed.X-ORGANIZATION-ID|Priority=-|Private==private|Sensitivity==sensitivity|\
      User 1=unclaimed.X-CUSTOM1|User 2=unclaimed.X-CUSTOM2|User 3=unclaimed.X-CUSTOM3|User 4=unclaimed.X-CUSTOM4|Action=unclaimed.X-GOOGLE-ACTION|\
      ID=unclaimed.X-GOOGLE-ID
      """, languages: [.outlook, .liveMail])

  /// The 92 columns of Outlook's own export, in their order.
  static let outlookExport = """
    Title|First Name|Middle Name|Last Name|Suffix|Company|Department|Job Title|Business Street|Business Street 2|Business Street 3|\
    Business City|Business State|Business Postal Code|Business Country/Region|Home Street|Home Street 2|Home Street 3|Home City|\
    Home State|Home Postal Code|Home Country/Region|Other Street|Other Street 2|Other Street 3|Other City|Other State|\
    Other Postal Code|Other Country/Region|Assistant's Phone|Business Fax|Business Phone|Business Phone 2|Callback|Car Phone|\
    Company Main Phone|Home Fax|Home Phone|Home Phone 2|ISDN|Mobile Phone|Other Fax|Other Phone|Pager|Primary Phone|Radio Phone|\
    TTY/TDD Phone|Telex|Account|Anniversary|Assistant's Name|Billing Information|Birthday|Business Address PO Box|Categories|\
    Children|Directory Server|E-mail Address|E-mail Type|E-mail Display Name|E-mail 2 Address|E-mail 2 Type|E-mail 2 Display Name|\
    E-mail 3 Address|E-mail 3 Type|E-mail 3 Display Name|Gender|Government ID Number|Hobby|Home Address PO Box|Initials|\
    Internet Free Busy|Keywords|Language|Location|Manager's Name|Mileage|Notes|Office Location|Organizational ID Number|\
    Other Address PO Box|Priority|Private|Profession|Referred By|Sensitivity|Spouse|User 1|User 2|User 3|User 4|Web Page
    """
}
