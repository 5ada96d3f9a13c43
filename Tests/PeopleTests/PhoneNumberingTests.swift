// Telephone numbers in E.164: what is read from typed numbers, and what is left alone.
import Testing

@testable import People

/// A number, the region it is dialled in (nil for none), and its E.164 form (nil where it is not sure).
struct NumberCase: CustomTestStringConvertible, Sendable {
  let typed: String, region: String?, e164: String?
  init(_ typed: String, _ region: String?, _ e164: String?) { (self.typed, self.region, self.e164) = (typed, region, e164) }
  var testDescription: String { "\(typed) in \(region ?? "no region")" }
}

@Suite struct PhoneNumberingTests {
  @Test(arguments: [
    // International numbers need no region.
    NumberCase("+44 20 7946 0999", nil, "+442079460999"),
    NumberCase("+44 (0)20 7946 0999", nil, "+442079460999"),
    NumberCase("+39 06 5550 1234", nil, "+390655501234"),
    NumberCase("+39 (0)6 5550 1234", nil, "+390655501234"),
    NumberCase("+49 611 123456-11", nil, "+4961112345611"),
    NumberCase("+1 (206) 555-0177", nil, "+12065550177"),
    NumberCase("+1 1 206 555 0177", nil, "+12065550177"),
    NumberCase("+7 8 495 555 01 23", nil, "+74955550123"),
    NumberCase("+7 812 555 01 23", nil, "+78125550123"),
    NumberCase("+375 80 155 50 12", nil, "+375801555012"),
    NumberCase("+52 1 55 5550 1234", nil, "+525555501234"),
    NumberCase("+54 9 11 5550 1234", nil, "+5491155501234"),
    NumberCase("+370 (8) 612 34567", nil, "+37061234567"),
    NumberCase("+36 (06) 1 555 0123", nil, "+3615550123"),
    NumberCase("+225 01 23 45 67 89", nil, "+2250123456789"),
    NumberCase("+800 1234 5678", nil, "+80012345678"),
    NumberCase("tel:+44-20-7946-0999;ext=12", nil, "+442079460999"),
    NumberCase("20-7946-0999;phone-context=+44", nil, "+442079460999"),
    NumberCase("00 44 20 7946 0999", nil, "+442079460999"),
    NumberCase("\u{202A}+44\u{00A0}7700\u{2011}900123\u{202C}", nil, "+447700900123"),
    NumberCase("\u{FF0B}\u{FF14}\u{FF14} 7700 900123", nil, "+447700900123"),
    NumberCase("+\u{0664}\u{0664} \u{0667}\u{0667}\u{0660}\u{0660} 900123", nil, "+447700900123"),
    // National numbers need one.
    NumberCase("020 7946 0999", nil, nil),
    NumberCase("020 7946 0999", "GB", "+442079460999"),
    NumberCase("020 7946 0999", "gb", "+442079460999"),
    NumberCase("(0)20 7946 0999", "GB", "+442079460999"),
    NumberCase("(206) 555-0133", nil, nil),
    NumberCase("(206) 555-0133", "US", "+12065550133"),
    NumberCase("1-206-555-0133", "CA", "+12065550133"),
    NumberCase("06 5550 1234", "IT", "+390655501234"),
    NumberCase("0611 123456-11", "DE", "+4961112345611"),
    NumberCase("91 555 01 2", "ES", nil),
    NumberCase("915 550 123", "ES", "+34915550123"),
    NumberCase("8 (495) 555-01-23", "RU", "+74955550123"),
    NumberCase("8 029 555-01-23", "BY", "+375295550123"),
    NumberCase("8 612 34567", "LT", "+37061234567"),
    NumberCase("0 612 34567", "LT", "+37061234567"),
    NumberCase("06 1 555 0123", "HU", "+3615550123"),
    NumberCase("0 11 15-5550-1234", "AR", "+5491155501234"),
    NumberCase("0 2966 15-55-0123", "AR", "+5492966550123"),
    NumberCase("01 55 5550 1234", "MX", "+525555501234"),
    NumberCase("0 21 11 95550-1234", "BR", "+5511955501234"),
    NumberCase("0 11 95550-1234", "BR", "+5511955501234"),
    NumberCase("(11) 95550-1234", "BR", "+5511955501234"),
    NumberCase("98765 55012", "IN", "+919876555012"),
    NumberCase("131 5550 1234", "CN", "+8613155501234"),
    // International prefixes are those of the region.
    NumberCase("011 44 20 7946 0999", "US", "+442079460999"),
    NumberCase("0011 44 20 7946 0999", "AU", "+442079460999"),
    NumberCase("8 10 44 20 7946 0999", "RU", "+442079460999"),
    NumberCase("010 44 20 7946 0999", "JP", "+442079460999"),
    NumberCase("00 14 44 20 7946 0999", "BR", "+442079460999"),
    NumberCase("00 44 20 7946 0999", "US", "+442079460999"),
    NumberCase("011 44 20 7946 0999", nil, nil),
    // What is not sure stays as it is.
    NumberCase("+1 555 0157", nil, nil),
    NumberCase("7946 0999", "GB", nil),
    NumberCase("20 7946 0999", "GB", nil),
    NumberCase("555-0133", "US", nil),
    NumberCase("112", "GB", nil),
    NumberCase("*100#", "GB", nil),
    NumberCase("#31#+44 20 7946 0999", "GB", nil),
    NumberCase("1-800-FLOWERS", "US", nil),
    NumberCase("+44 20 7946 0999 or +44 20 7946 0998", nil, nil),
    NumberCase("+44 20 7946 0999, +44 20 7946 0998", nil, nil),
    NumberCase("+44 20 7946 0999 (ask for Mira)", nil, nil),
    NumberCase("++44 20 7946 0999", nil, nil),
    NumberCase("+999 12345678", nil, nil),
    NumberCase("+49 1234567890123456", nil, nil),
    NumberCase("+", nil, nil),
    NumberCase("", "GB", nil),
  ])
  func reads(_ number: NumberCase) throws {
    let numbering = try #require(PhoneNumbering(region: number.region))
    #expect(numbering.e164(number.typed) == number.e164)
  }

  @Test(arguments: [
    ("+44 20 7946 0999 x12", "+442079460999 x12"), ("+44 20 7946 0999 ext. 12", "+442079460999 ext. 12"),
    ("+44 20 7946 0999,,12#", "+442079460999,,12#"), ("+44 20 7946 0999;12", "+442079460999;12"),
    ("+44 20 7946 0999p12w3", "+442079460999p12w3"),
    ("(+44) 20 7946 0999 (ext 12)", "+442079460999 (ext 12)"), ("+7 495 555 01 23 доб. 12", "+74955550123 доб. 12"),
    ("+442079460999;ext=12", "+442079460999;ext=12"), ("20-7946-0999;phone-context=+44;isub=4", "+442079460999;isub=4"),
    ("+44 20 7946 0999 ", "+442079460999"),
  ])
  func keepsWhatFollows(typed: String, normal: String) throws {
    let numbering = try #require(PhoneNumbering(region: nil))
    #expect(numbering.read(typed)?.text == normal)
    #expect(numbering.read(normal)?.text == normal)
  }

  @Test func comparesByKey() throws {
    let home = try #require(PhoneNumbering(region: "GB"))
    let nowhere = try #require(PhoneNumbering(region: nil))
    #expect(home.key("020 7946 0999") == home.key("+44 (0)20 7946 0999"))
    #expect(nowhere.key("020 7946 0999") == nowhere.key("(020) 79460999"))
    #expect(nowhere.key("020 7946 0999") != nowhere.key("+44 20 7946 0999"))
    #expect(home.key("+44 20 7946 0999 x12") == home.key("+442079460999", extension: "12"))
    #expect(home.key("+44 20 7946 0999 x12") != home.key("+44 20 7946 0999"))
    #expect(home.key("1-800-FLOWERS") != home.key("1-800-CANDLES"))
    #expect(home.key("*100#") != home.key("100"))
  }

  @Test func knowsTheRegions() {
    #expect(PhoneNumbering(region: "ZZ") == nil)
    #expect(PhoneNumbering(region: "") == nil)
    #expect(PhoneNumbering(region: "uk") != nil)
    #expect(PhoneNumbering(region: "CX") != nil)
  }
}
