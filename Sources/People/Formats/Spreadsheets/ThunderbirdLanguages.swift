// The column names of Thunderbird in other languages than English: facts of the exports, one list a language.

extension SheetLanguages {
  /// The names in the order of `order`; an empty one is as in English.
  static let thunderbird = SheetLanguages(
    order: """
      First Name|Last Name|Display Name|Nickname|Primary Email|Secondary Email|Screen Name|Work Phone|Home Phone|Fax Number|\
      Pager Number|Mobile Number|Home Address|Home Address 2|Home City|Home State|Home ZipCode|Home Country|Work Address|\
      Work Address 2|Work City|Work State|Work ZipCode|Work Country|Job Title|Department|Organization|Web Page 1|Web Page 2|\
      Birth Month|Birth Day|Birth Year|Custom 1|Custom 2|Custom 3|Custom 4|Notes
      """,
    names: [
      (
        "da",
        """
        Fornavn|Efternavn|Vis navn|Alias|Primær mail|Sekundær mail|Skærmnavn|Arbejdstelefon|Hjemmetelefon|Faxnummer|Personsøgernummer|\
        Mobilnummer|Hjemmeadresse|Hjemmeadresse 2|Hjemmeby|Hjemmestat|Hjemmepostnummer|Hjemmeland|Arbejdsadresse|Arbejdsadresse 2|\
        Arbejdsby|Arbejdsstat|Arbejdspostnummer|Arbejdsland|Job titel|Afdeling|Organisation|Hjemmeside 1|Hjemmeside 2|Fødselsmåned|\
        Fødselsdag|Fødselsår|Brugerdef. 1|Brugerdef. 2|Brugerdef. 3|Brugerdef. 4|Notater
        """
      ),
      (
        "de",
        """
        Vorname|Nachname|Anzeigename|Spitzname|Primäre E-Mail-Adresse|Sekundäre E-Mail-Adresse|Messenger-Name|Tel. dienstlich|\
        Tel. privat|Fax-Nummer|Pager-Nummer|Mobil-Tel.-Nr.|Privat: Adresse|Privat: Adresse 2|Privat: Ort|Privat: Bundesland|\
        Privat: PLZ|Privat: Land|Dienstlich: Adresse|Dienstlich: Adresse 2|Dienstlich: Ort|Dienstlich: Bundesland|Dienstlich: PLZ|\
        Dienstlich: Land|Arbeitstitel|Abteilung|Organisation|Webseite 1|Webseite 2|Geburtsmonat|Geburtstag|Geburtsjahr|Benutzerdef. 1|\
        Benutzerdef. 2|Benutzerdef. 3|Benutzerdef. 4|Notizen
        """
      ),
      (
        "en-GB",
        """
        |||||||||||||||Home County|Home Post Code|||||Work County|Work Post Code||||Organisation||||||||||
        """
      ),
      (
        "es",
        """
        Nombre|Apellidos|Nombre mostrado|Apodo|Dirección de correo electrónico principal|Dirección de correo electrónico secundaria|\
        Nombre en pantalla|Teléfono (Trabajo)|Teléfono particular|Fax|Buscapersonas|Teléfono móvil|Dirección personal|\
        Dirección personal 2|Ciudad donde vive|Provincia|Código postal|País de residencia|Dirección de trabajo|Dirección de trabajo 2|\
        Ciudad (Trabajo)|Provincia (Trabajo)|Código postal (Trabajo)|País (Trabajo)|Puesto|Departamento|Organización|Página web 1|\
        Página web 2|Mes de nacimiento|Día de nacimiento|Año de nacimiento|Personalizado 1|Personalizado 2|Personalizado 3|\
        Personalizado 4|Notas
        """
      ),
      (
        "fr",
        """
        Prénom|Nom de famille|Nom à afficher|Surnom|Adresse électronique principale|Adresse électronique secondaire|Nom de l'écran|\
        Tél. professionnel|Tél. personnel|Fax|Pager|Portable|Adresse privée|Adresse privée 2|Ville|Pays/État|Code postal|Région|\
        Adresse professionnelle|Adresse professionnelle 2|Ville|Pays/État|Code postal|Région|Profession|Service|Société|Site Web 1|\
        Site Web 2|Mois|Jour|Année de naissance|Divers 1|Divers 2|Divers 3|Divers 4|
        """
      ),
      (
        "hi",
        """
        पहला नाम|अंतिम नाम|प्रदर्शन नाम|उपनाम|प्राथमिक मेल|द्वितीयक मेल||फोन कार्यालय|फोन आवास|फैक्स|पेजर संख्या|मोबाइल नंबर|पता आवास|\
        पता आवास 2|गृह नगर|गृह राज्य|गृह जिपकोड|गृह देश|पता कार्यालय|पता कार्यालय 2|कार्यालय शहर|कार्यालय राज्य|कार्यालय जिपकोड|\
        कार्यालय देश|पदनाम|विभाग|संगठन|वेबपेज 1|वेबपेज 2|जन्म माह|जन्म दिन|जन्म साल|मनपसंद 1|मनपसंद 2|मनपसंद 3|मनपसंद 4|टिप्पणी
        """
      ),
      (
        "it",
        """
        Nome|Cognome|Nome visualizzato|Soprannome|E-mail primaria|E-mail secondaria|Nome Instant Messenger|Telefono ufficio|\
        Telefono casa|Numero fax|Numero cercapersone|Numero cellulare|Indirizzo di casa|Indirizzo di casa 2|Città di residenza|\
        Provincia di residenza|CAP di residenza|Nazione di residenza|Indirizzo di lavoro|Indirizzo di lavoro 2|Città di lavoro|\
        Provincia di lavoro|CAP di lavoro|Nazione di lavoro|Qualifica|Reparto|Organizzazione|Pagina web 1|Pagina web 2|\
        Mese di nascita|Giorno di nascita|Anno di nascita|Personalizzato 1|Personalizzato 2|Personalizzato 3|Personalizzato 4|Note
        """
      ),
      (
        "ja",
        """
        名|姓|表示名|ニックネーム|メールアドレス|別のメールアドレス|スクリーンネーム|勤務先の電話番号|自宅の電話番号|FAX 番号|ポケットベル番号|携帯電話番号|番地 (自宅)|番地 (自宅) 2|市区町村 (自宅)|郵便番号 (自宅)|\
        郵便番号 (自宅)|国 (自宅)|番地 (勤務先)|番地 (勤務先) 2|市区町村 (勤務先)|都道府県 (勤務先)|郵便番号 (勤務先)|国 (勤務先)|役職|部門|組織|Web ページ 1|Web ページ 2|誕生月|誕生日|誕生年|追加情報 1|\
        追加情報 2|追加情報 3|追加情報 4|メモ
        """
      ),
      (
        "ko",
        """
        이름|성|표시명|애칭|기본 메일|추가 메일|Screen 아이디|직장 전화|자택 전화|팩스|호출기|휴대폰|자택 주소1|자택 주소2|구/군|시/도|우편번호|국가|직장 주소1|직장 주소2|구/군|시/도|우편번호|국가|직위|부서|\
        회사명|웹 페이지1|웹 페이지2|태어난 달|생일|태어난 해|사용자 정의1|사용자 정의2|사용자 정의3|사용자 정의4|메모
        """
      ),
      (
        "nl",
        """
        Voornaam|Achternaam|Weergavenaam|Bijnaam|Eerste e-mail|Tweede e-mail|Schermnaam|Telefoon werk|Telefoon thuis|Faxnummer|\
        Piepernummer|Mobiel nummer|Adres|Adres 2|Woonplaats|Provincie|Postcode|Land|Werkadres|Werkadres 2|Werklocatie|Werkprovincie|\
        Werkpostcode|Werkland|Werkfunctie|Afdeling|Organisatie|Webpagina 1|Webpagina 2|Geboortemaand|Geboortedag|Geboortejaar|\
        Overig 1|Overig 2|Overig 3|Overig 4|Aantekeningen
        """
      ),
      (
        "pl",
        """
        Imię|Nazwisko|Wyświetlana nazwa|Pseudonim|Podstawowy e-mail|Dodatkowy e-mail|Komunikator AIM|Telefonu służbowy|Telefon domowy|\
        Numer faksu|Pager|Numer telefonu komórkowego|Adres domowy|Adres domowy 2|Miasto (dom)|Województwo (dom)|Kod pocztowy (dom)|\
        Państwo (dom)|Adres służbowy|Adres służbowy 2|Miasto (praca)|Województwo (praca)|Kod pocztowy (praca)|Państwo (praca)|\
        Stanowisko|Departament|Firma/Organizacja|Strona WWW 1|Strona WWW 2|Urodziny - Miesiąc|Urodziny - Dzień|Urodziny - Rok|\
        Informacja 1|Informacja 2|Informacja 3|Informacja 4|Notatki
        """
      ),
      (
        "pt-BR",
        """
        Primeiro nome|Sobrenome|Apresentar como|Apelido|Email primário|Email secundário|Nome de tela|Telefone comercial|\
        Telefone residencial|Número do fax|Número do pager|Número celular|Endereço|Endereço 2|Cidade|Estado|CEP|País|\
        Endereço de trabalho|Endereço de trabalho 2|Cidade de trabalho|Estado de trabalho|CEP de trabalho|País de trabalho|Cargo|\
        Setor|Empresa|Página da web 1|Página da web 2|Mês de nascimento|Nascimento|Ano de nascimento|Personalizado 1|Personalizado 2|\
        Personalizado 3|Personalizado 4|Observações
        """
      ),
      (
        "ru",
        """
        Имя|Фамилия|Отображаемое имя|Псевдоним|Адрес электронной почты|Альтернативный адрес электронной почты|Интернет-пейджер|\
        Рабочий телефон|Домашний телефон|Номер факса|Номер пейджера|Номер сотового телефона|Адрес|Адрес 2|Город|Штат|Почтовый индекс|\
        Страна|Адрес (раб.)|Адрес 2 (раб.)|Город (раб.)|Штат (раб.)|Почтовый индекс (раб.)|Страна (раб.)|Должность|Отдел|Организация|\
        Веб-страница 1|Веб-страница 2|Месяц рождения|День рождения|Год рождения|Прочее 1|Прочее 2|Прочее 3|Прочее 4|Заметки
        """
      ),
      (
        "sv",
        """
        Förnamn|Efternamn|Kortnamn|Smeknamn|E-postadress|Annan e-post|Skärmnamn|Telefon arbete|Telefon hem|Faxnummer|Personsökare|\
        Mobiltelefon|Hemadress (rad 1)|Hemadress (rad 2)|Hemort|(Delstat)|Postnummer|Land|Adress arbete (rad 1)|Adress arbete (rad 2)|\
        Ort arbete|(Delstat) arbete|Postnummer arbete|Land arbete|Titel|Avdelning|Företag|Hemsida 1|Hemsida 2|Födelsemånad|\
        Födelsedatum|Födelseår|Annan uppgift 1|Annan uppgift 2|Annan uppgift 3|Annan uppgift 4|Anteckningar
        """
      ),
      (
        "zh-CN",
        """
        名字|姓氏|显示名称|呢称|主要电子邮件|备用电子邮件|显示名|工作电话|家庭电话|传真号码|寻呼机号码|移动电话号码|家庭地址|家庭地址 2|城市|省/自治区/直辖市|邮政编码|国家|工作地址|工作地址 2|城市|省/自治区/直辖市|邮政编码|国家|\
        职务|部门|组织|网页 1|网页 2|出生月份|出生日|出生年份|定制 1|定制 2|定制 3|定制 4|注释
        """
      ),
      (
        "zh-HK",
        """
        名|姓|顯示名稱|暱稱|主要 Email|次要 Email|網路代號|商務電話|住家電話|傳真號碼|呼叫器號碼|手機號碼|住家住址|住家住址 2|居住縣市|居住市鎮|住址郵遞區號|居住國家|商務地址|商務地址 2|商務縣市|商務省市|商務郵遞區號|\
        商務國家|職稱|部門|公司|網頁 1|網頁 2|生日 (月)|生日 (日)|生日 (年)|自訂 1|自訂 2|自訂 3|自訂 4|註解
        """
      ),
    ])
}
