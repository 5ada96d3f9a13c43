// Telephone numbering of the world: calling codes, trunk and international prefixes, and how long numbers are.

/// Counts of digits that a number may have, as a set of bits.
struct DigitCounts: Sendable, Equatable {
  private(set) var bits: UInt32 = 0

  init() {}

  /// Counts in the form `7,9-10`.
  init(_ text: some StringProtocol) {
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let low = ends.first, let high = ends.last, low <= high, high < 32 else { continue }
      for count in low...high { bits |= 1 << UInt32(count) }
    }
  }

  func has(_ count: Int) -> Bool { count >= 0 && count < 32 && bits & (1 << UInt32(count)) != 0 }
  func union(_ other: DigitCounts) -> DigitCounts {
    var result = self
    result.bits |= other.bits
    return result
  }
}

/// How one country (or several with the same rules) numbers its telephones.
struct PhoneCountry: Sendable {
  /// The calling code, without `+`.
  let code: String
  /// What is dialled before a national number inside the country; empty where there is nothing.
  let trunk: String
  /// What is dialled before a number abroad: patterns of digits and of classes such as `[1-5]`.
  let internationalPrefixes: [String]
  /// How many digits the national numbers of ordinary lines and of mobiles have.
  let ordinary: DigitCounts
  /// The same with those of services (freephone, shared cost, paging, ...).
  let all: DigitCounts

  private init?(row: Substring) {
    let parts = row.split(separator: " ")
    guard parts.count >= 5 else { return nil }
    code = String(parts[1])
    trunk = parts[2] == "-" ? "" : String(parts[2])
    internationalPrefixes = parts[3].split(separator: "|").map(String.init)
    ordinary = DigitCounts(parts[4])
    all = parts.count > 5 ? ordinary.union(DigitCounts(parts[5])) : ordinary
  }

  /// The country of an ISO 3166 code, in any letter case; nil where there is none.
  static func of(region: String) -> PhoneCountry? { regions[region.uppercased()] }

  /// The rules of a calling code: of its main country, with the counts of digits of all that share it.
  static func of(code: Int) -> PhoneCountry? { codes.indices.contains(code) ? codes[code] : nil }

  private init(_ country: PhoneCountry, sharing other: PhoneCountry) {
    (code, trunk, internationalPrefixes) = (country.code, country.trunk, country.internationalPrefixes)
    ordinary = country.ordinary.union(other.ordinary)
    all = country.all.union(other.all)
  }

  private static let regions: [String: PhoneCountry] = {
    var found: [String: PhoneCountry] = [:]
    for row in table.split(separator: "\n") {
      guard let country = PhoneCountry(row: row), let names = row.split(separator: " ").first else { continue }
      for name in names.split(separator: ",") { found[String(name)] = country }
    }
    return found
  }()

  private static let codes: [PhoneCountry?] = {
    var found: [PhoneCountry?] = Array(repeating: nil, count: 1000)
    for row in (table + "\n" + networks).split(separator: "\n") {
      guard let country = PhoneCountry(row: row), let code = Int(country.code), found.indices.contains(code) else { continue }
      found[code] = found[code].map { PhoneCountry($0, sharing: country) } ?? country
    }
    return found
  }()

  /// Codes that belong to no country: freephone, satellites, networks.
  private static let networks = """
    - 800 - 00 8
    - 808 - 00 8
    - 870 - 00 9,12
    - 878 - 00 12
    - 881 - 00 9-10
    - 882 - 00 7-12
    - 883 - 00 8-12
    - 888 - 00 11
    - 979 - 00 9
    """

  /// Regions, calling code, trunk prefix (`-` for none), international prefixes, digits of ordinary numbers, digits of others.
  private static let table = """
    AC 247 - 00 5 6
    AD 376 - 00 6,9 8
    AE 971 0 00 8-9 5-7,10-12
    AF 93 0 00 9
    AL 355 0 00 8-9 6-7
    AM 374 0 00 8
    AO 244 - 00 9
    AR 54 0 00 10-11
    AT 43 0 00 4-13
    AU 61 0 001[14-689]|141[14]0011|14340011|144[17]0011|14[56]60011|147[47]0011|14880011 9 5-8,10,12
    AW 297 - 00 7
    AX 358 0 00|99[01469]|995[14]1|9953[23]|9955[59]|99577|99588|9959[09] 6-10 5,11-12
    AZ 994 0 00 9
    BA 387 0 00 8-9
    BD 880 0 00 6-10
    BE 32 0 00 8-9
    BF 226 - 00 8
    BG 359 0 00 6-9 12
    BH 973 - 00 8
    BI 257 - 00 8
    BJ 229 - 00 10
    BN 673 - 00 7
    BO 591 0 001[0-9]|00 8 9
    BQ 599 - 00 7
    BR 55 0 001[245]|002[1-35]|0031|004[13]|00[56]5|0099 10-11 8-9
    BT 975 - 00 7-8
    BW 267 - 00 7-8 10
    BY 375 8 810 9 6-8,10-11
    BZ 501 - 00 7 11
    CC,CX 61 0 001[14-689]|141[14]0011|14340011|144[17]0011|14[56]60011|147[47]0011|14880011 9 6-8,10,12
    CD 243 0 00 7-10
    CF 236 - 00 8
    CG 242 - 00 9
    CH 41 0 00 9 12
    CI 225 - 00 10
    CK 682 - 00 5
    CL 56 - 00|11[0-69]0|12[02-5]0|15[13-58]0|1690|17[0167]0|18[018]0 9 10-11
    CM 237 - 00 9 8
    CN 86 0 00|1[12][0-9][0-9][0-9]00|179[0-9][0-9]00 7-11 12
    CO 57 0 004[14]4|00456|00[579] 8,10 11
    CR 506 - 00 8 10
    CU 53 0 119 6-8,10
    CV 238 - 0 7
    CW 599 - 00 7-8
    CY 357 - 00 8
    CZ 420 - 00 9 10-12
    DE 49 0 00 5-15 4
    DJ 253 - 00 8
    DK 45 - 00 8
    DZ 213 0 00 8-9
    EC 593 0 00 8-9 10-11
    EE 372 - 00 7-8 10
    EG 20 0 00 8-10
    ER 291 0 00 7
    ES 34 - 00 9
    ET 251 0 00 9
    FI 358 0 00|99[01469]|995[14]1|9953[23]|9955[59]|99577|99588|9959[09] 5-10 11-12
    FJ 679 - 00|052 7 11
    FK 500 - 00 5
    FM 691 - 00 7
    FO 298 - 00 6
    FR 33 0 00 9
    GA 241 - 00 7-8
    GB,UK 44 0 00 9-10 7
    GE 995 0 00 9
    GF 594 0 00 9
    GG 44 0 00 10 7,9
    GH 233 0 00 9 8
    GI 350 - 00 8
    GL 299 - 00 6
    GM 220 - 00 7,9
    GN 224 - 00 8-9
    GP,BL,MF 590 0 00 9
    GQ 240 - 00 9
    GR 30 - 00 10 11-12
    GT 502 - 00 8 11
    GW 245 - 00 9 7
    GY 592 - 001 7
    HK 852 - 0030|005[09]|00[126-9]|00 8 5-7,9,11
    HN 504 - 00 8 11
    HR 385 0 00 8-9 7
    HT 509 - 00 8
    HU 36 06 00 8-9
    ID 62 0 00[89] 7-12 13-17
    IE 353 0 00 7-10
    IL 972 0 00|0105|01[2-9] 8-9,11-12 7,10
    IM,JE 44 0 00 10
    IN 91 0 00 10 8-9,11-13
    IO 246 - 00 7
    IQ 964 0 00 8-10
    IR 98 0 00 6-7,10 4-5
    IS 354 - 00|1001|10[12]0|1100 7,9
    IT 39 - 00 6-12
    JO 962 0 00 8-9
    JP 81 0 010 9-10 8,11-17
    KE 254 0 000 7-9 10
    KG 996 0 00 9 10
    KH 855 0 00[14-9] 8-9 10
    KI 686 0 00 5,8
    KM 269 - 00 7
    KP 850 0 00|99 8,10
    KR 82 0 00[125689]|003[46]5|00391|00700|00727|0073|00755|0076[126] 5-6,8-10 11-14
    KW 965 - 00 8 7
    LA 856 0 00 8-10
    LB 961 0 00 7-8
    LI 423 0 00 7,9
    LK 94 0 00 9
    LR 231 0 00 7-9
    LS 266 - 00 8
    LT 370 0 00 8
    LU 352 - 00 4-11
    LV 371 - 00 8
    LY 218 0 00 9
    MA,EH 212 0 00 9
    MC 377 0 00 8-9
    MD 373 0 00 8
    ME 382 0 00 8 9
    MG 261 0 00 9
    MH 692 1 011 7
    MK 389 0 00 8
    ML 223 - 00 8
    MM 95 0 00 6-10
    MN 976 0 001 8-10
    MO 853 - 00 8 7
    MQ 596 0 00 9
    MR 222 - 00 8
    MT 356 - 00 8
    MU 230 - 00|0[24-7]0|03[03] 7-8 10
    MV 960 - 00|019 7 10
    MW 265 0 00 7,9
    MX 52 - 0[09] 10
    MY 60 0 00 8-10
    MZ 258 - 00 8-9
    NA 264 0 00 8-9
    NC 687 - 00 6
    NE 227 - 00 8
    NF 672 - 00 6
    NG 234 0 009 10 11-14
    NI 505 - 00 8
    NL 31 0 00 9,11 5-8,10
    NO,SJ 47 - 00 8 5
    NP 977 0 00 8,10 11
    NR 674 - 00 7
    NU 683 - 00 4,7
    NZ 64 0 00|0161 8-10 5-7
    OM 968 - 00 8 7,9
    PA 507 - 00 7-8 10-11
    PE 51 0 00|191[124]00|197700|199000 8-9
    PF 689 - 00 8 6,9
    PG 675 - 00|140[1-3] 7-8
    PH 63 0 00 6,8-10 11-13
    PK 92 0 00 9-10 8,11-12
    PL 48 - 00 7,9 6,8,10
    PM 508 0 00 6,9
    PS 970 0 00 8-9 10
    PT 351 - 00 9
    PW 680 - 01[12] 7
    PY 595 0 00 7-9 6,10-11
    QA 974 - 00 8 7,9,11
    RE,YT 262 0 00 9
    RO 40 0 00 6,9
    RS 381 0 00 7-12 6
    RU,KZ 7 8 810 10 14
    RW 250 0 00 8-9
    SA 966 0 00 9 10
    SB 677 - 0[01] 5,7
    SC 248 - 010|0[0-2] 7
    SD 249 0 00 9
    SE 46 0 00 7-9 6,10,12
    SG 65 - 0[0-3][0-9] 8 10-11
    SH 290 - 00 4-5
    SI 386 0 00|1022|1066|1088|1099 8 5-7
    SK 421 0 00 6-7,9
    SL 232 0 00 8
    SM 378 - 00 8,10
    SN 221 - 00 9
    SO 252 0 00 6-9
    SR 597 - 00 6-7
    SS 211 0 00 9
    ST 239 - 00 7
    SV 503 - 00 8 7,11
    SY 963 0 00 8-9
    SZ 268 - 00 8 9
    TA 290 - 00 4
    TD 235 - 00|16 8
    TG 228 - 00 8
    TH 66 0 00[1-9] 8-9 10,13
    TJ 992 - 810 9
    TK 690 - 00 4-7
    TL 670 - 00 7-8
    TM 993 8 810 8
    TN 216 - 00 8
    TO 676 - 00 5,7
    TR 90 0 00 10 7,12-13
    TV 688 - 00 5-7
    TW 886 0 00[25-79]|019 8-9 7,10-11
    TZ 255 0 00[056] 9
    UA 380 0 00 9 10
    UG 256 0 00[057] 9
    US,AG,AI,AS,BB,BM,BS,CA,DM,DO,GD,GU,JM,KN,KY,LC,MP,MS,PR,SX,TC,TT,VC,VG,VI 1 1 011 10
    UY 598 0 00|01[3-9][0-9] 8 4-7,9-13
    UZ 998 - 00 9
    VA 39 - 00 6-11 12
    VE 58 0 00 10
    VN 84 0 00 9-10 7-8
    VU 678 - 00 5,7
    WF 681 - 00 6 9
    WS 685 - 0 5-7,10
    XK 383 0 00 8-12
    YE 967 0 00 7-9
    ZA 27 0 00 5-9 10
    ZM 260 0 00 9
    ZW 263 0 00 9 7,10
    """
}
