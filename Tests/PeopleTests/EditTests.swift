// Edits of cards and records: the right value, and not a byte elsewhere.
import Bytes
import CardSyntax
import Testing

@testable import People

private let card = """
  begin:vcard
  Version:3.0
  N:;;;;
  fn:Mira Okafor
  item1.TEL;type=WORK;type=VOICE:555-0100
  item1.EMAIL;type=INTERNET:mira@example.com
  item1.X-ABLabel:Boat
  item2.ADR;TYPE=home:;;12 Quay Lane;Bris
   tol;;BS1;UK
  item2.X-ABADR:gb
  TEL;TYPE=HOME,PREF:555-0101
  CATEGORIES:Choir,Crew
  X-FOO;BAR=1:raw\\,value
  X-Empty:
  END:VCARD

  """

private func edits(_ texts: [String]) throws -> [Edit] {
  try texts.map { text in
    switch text.first {
    case "+": try Edit(.add, String(text.dropFirst()))
    case "-": try Edit(remove: try #require(FieldPath(String(text.dropFirst()))))
    default: try Edit(.set, text)
    }
  }
}

private func batch(_ text: String) throws -> CardBatch {
  var parser = CardParser(names: FieldNames.table)
  parser.feed(Array(text.utf8).span)
  parser.finish()
  let batch = parser.nextBatch()
  return try #require(batch)
}

/// The card after the edits; nil where they change nothing.
private func edited(_ text: String, _ changes: [String]) throws -> String? {
  var editor = CardEditor()
  let result = editor.apply(try edits(changes), to: try batch(text), 0)
  return result.map { String(decoding: $0[0].rawBytes, as: UTF8.self) }
}

@Suite struct EditTests {
  @Test(arguments: [
    (["phone=+15550199"], "TEL;TYPE=HOME,PREF:555-0101", "TEL;TYPE=HOME,pref:+15550199"),
    (["phones.boat=1"], "item1.TEL;type=WORK;type=VOICE:555-0100", "item1.TEL;TYPE=WORK,VOICE:1"),
    (["email=new@example.com"], "item1.EMAIL;type=INTERNET:mira@example.com", "item1.EMAIL;TYPE=INTERNET:new@example.com"),
    (["name.given=Mira", "name.family=Okafor"], "N:;;;;", "N:Okafor;Mira;;;"),
    (["name=Okafor;Mira;;Dr.;"], "N:;;;;", "N:Okafor;Mira;;Dr.;"),
    (
      ["addresses.home.city=Bath"], "item2.ADR;TYPE=home:;;12 Quay Lane;Bris\n tol;;BS1;UK",
      "item2.ADR;TYPE=HOME:;;12 Quay Lane;Bath;;BS1;UK"
    ),
    (["-addresses.home.city"], "item2.ADR;TYPE=home:;;12 Quay Lane;Bris\n tol;;BS1;UK", "item2.ADR;TYPE=HOME:;;12 Quay Lane;;;BS1;UK"),
    (["-address"], "item2.ADR;TYPE=home:;;12 Quay Lane;Bris\n tol;;BS1;UK\nitem2.X-ABADR:gb\n", ""),
    (["categories=Rowing"], "CATEGORIES:Choir,Crew", "CATEGORIES:Rowing,Crew"), (["categories.2=Ro,wing"], "Choir,Crew", "Choir,Ro\\,wing"),
    (["-categories.1"], "Choir,Crew", "Crew"), (["-categories"], "CATEGORIES:Choir,Crew\n", ""),
    (["+categories=Sailing"], "CATEGORIES:Choir,Crew\n", "CATEGORIES:Choir,Crew\nCATEGORIES:Sailing\n"),
    (["+phones.work.mobile=+15550123"], "555-0101\n", "555-0101\nTEL;TYPE=WORK,CELL:+15550123\n"),
    (["-email"], "item1.EMAIL;type=INTERNET:mira@example.com\n", ""),
    (["unclaimed.x-foo=a;b"], "X-FOO;BAR=1:raw\\,value", "X-FOO;BAR=1:a;b"),
    (["-unclaimed.X-FOO"], "X-FOO;BAR=1:raw\\,value\n", ""), (["-unclaimed"], "X-FOO;BAR=1:raw\\,value\nX-Empty:\n", ""),
    (["note=line, with; comma\\and\nbreak"], "END:VCARD", "NOTE:line\\, with\\; comma\\\\and\\nbreak\nEND:VCARD"),
    (["birthday=1979-04-14"], "END:VCARD", "BDAY:1979-04-14\nEND:VCARD"), (["gender=F"], "END:VCARD", "X-GENDER:Female\nEND:VCARD"),
    (["birthday=1979-04-14", "birthday=--04-14"], "END:VCARD", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-14\nEND:VCARD"),
    (["location=51.45,-2.6"], "END:VCARD", "GEO:51.45;-2.6\nEND:VCARD"),
    (["organizations=Tern & Vale;Survey"], "END:VCARD", "ORG:Tern & Vale;Survey\nEND:VCARD"),
    (["+related.spouse=Sam"], "END:VCARD", "item3.X-ABRELATEDNAMES:Sam\nitem3.X-ABLabel:_$!<Spouse>!$_\nEND:VCARD"),
    (["+instantMessages.home=xmpp:m@example.com"], "END:VCARD", "IMPP;TYPE=HOME:xmpp:m@example.com\nEND:VCARD"),
    (["fullName=Mira"], "fn:Mira Okafor", "FN:Mira"), (["birthday.year=1979"], "END:VCARD", "BDAY:1979\nEND:VCARD"),
    (["birthday=1979-04-14", "-birthday.year"], "END:VCARD", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-14\nEND:VCARD"),
    (["birthday=1979-04-14", "birthday.day=15", "birthday.month=13"], "END:VCARD", "BDAY:1979-04-15\nEND:VCARD"),
    (["birthday=1979-04", "-birthday.month", "-birthday.year", "note=x"], "END:VCARD", "NOTE:x\nEND:VCARD"),
    (["dates.met=2020-01-02", "dates.met.day=3"], "END:VCARD", "item3.X-ABDATE:2020-01-03\nitem3.X-ABLabel:met\nEND:VCARD"),
  ])
  func rewritesItsOwnLinesOnly(_ changes: [String], _ old: String, _ new: String) throws {
    let wanted = card.replacing(old, with: new, maxReplacements: 1)
    #expect(wanted != card)
    #expect(try edited(card, changes) == wanted)
    let crlf = card.replacing("\n", with: "\r\n")
    #expect(try edited(crlf, changes) == wanted.replacing("\n", with: "\r\n"))
    if changes.count == 1 { #expect(try edited(wanted, changes.filter { !$0.hasPrefix("-") }) == nil, "a second time changes nothing") }
  }

  @Test(arguments: [
    "+categories=Choir", "+email=mira@example.com", "-notes", "-phones.fax", "fullName=Mira Okafor", "+fullName=Other", "-phones.9",
  ])
  func changesNothing(_ change: String) throws { #expect(try edited(card, [change]) == nil) }

  @Test(arguments: [
    "fullName", "nobody=x", "note=", "birthday=14.04.1979", "name=Mira", "address=somewhere", "version=4.0", "emails=foo", "+phones.2=1",
    "unclaimed=x",
    "phones.1.preference=200", "fullName.city=x", "phones.1.city=x", "birthday.year=x", "birthday.labels=home", "location=here",
    "details=x", "agent=x", "addresses.1.location.latitude=5", "-version",
  ])
  func refuses(_ change: String) { #expect(throws: EditError.self) { try edits([change]) } }

  @Test func addsToCardsWithoutEnd() throws {
    let open = "BEGIN:VCARD\nVERSION:4.0\nFN:Ann"
    #expect(try edited(open, ["note=x"]) == open + "\nNOTE:x\n")
    #expect(try edited("BEGIN:VCARD\r\nEND:VCARD", ["fullName=Ann"]) == "BEGIN:VCARD\r\nFN:Ann\r\nEND:VCARD")
  }

  @Test func keepsBlankLinesBehindBase64() throws {
    let old = "BEGIN:VCARD\r\nVERSION:2.1\r\nPHOTO;ENCODING=BASE64;JPEG:/9j/4AAQ\r\n\r\nEND:VCARD\r\n"
    let new =
      "BEGIN:VCARD\r\nVERSION:2.1\r\nPHOTO;ENCODING=BASE64;JPEG:/9j/4AAQ\r\n\r\nPHOTO;VALUE=URL:https://example.com/a.png\r\nEND:VCARD\r\n"
    #expect(try edited(old, ["+photos=https://example.com/a.png"]) == new)
    let name = "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=96kafor;Mira\r\n"
    #expect(try edited(old, ["name=Ökafor;Mira"])?.contains(name.dropLast(2)) == true)
  }

  @Test(arguments: [
    (#"{"fullName":"Ann"}"#, ["+phones.work=1"], #"{"fullName":"Ann","phones":[{"value":"1","labels":["work"]}]}"#),
    (#"{"fullName":"Ann","phones":["1","2"]}"#, ["phones.2=3"], #"{"fullName":"Ann","phones":["1",{"value":"3"}]}"#),
    (
      #"{"phones":[{"value":"1","labels":["home"],"preference":2}]}"#, ["phone=2"],
      #"{"phones":[{"value":"2","labels":["home"],"preference":2}]}"#
    ),
    (
      #"{"fullName":"Ann","categories":["a","b"],"notes":[{"value":"n"}]}"#, ["-categories.1", "-note"],
      #"{"fullName":"Ann","categories":["b"]}"#
    ),
    (
      #"{"birthday":"1979","details":{"birthday":{"group":"g"},"name":{"group":"h"}}}"#, ["-birthday"],
      #"{"details":{"name":{"group":"h"}}}"#
    ),
    (#"{"name":{"family":"Lee"}}"#, ["name.given=Ann"], #"{"name":{"given":"Ann","family":"Lee"}}"#),
    (
      #"{"addresses":[{"city":"Bath","labels":["home"]}]}"#, ["addresses.1.location=51,-2", "addresses.1.street=1 Quay"],
      #"{"addresses":[{"street":"1 Quay","city":"Bath","location":{"latitude":51,"longitude":-2},"labels":["home"]}]}"#
    ),
    (
      #"{"unclaimed":[["X-A",{},"unknown","1"],["X-B",{},"unknown","2"]]}"#, ["-unclaimed.X-A", "unclaimed.X-B=3"],
      #"{"unclaimed":[["X-B",{},"unknown","3"]]}"#
    ),
  ])
  func editsRecords(_ json: String, _ changes: [String], _ wanted: String) throws {
    var source = ContactSource(.jsonl)
    source.feed(Array(json.utf8).span)
    source.finish()
    #expect(source.next() != nil)
    let edited = Edit.applied(try edits(changes), to: source.record)
    let result = try #require(edited)
    var output = ByteBuffer()
    JSONFormat().write(result.record, to: &output)
    let text = output.text()
    #expect(text == wanted)
    let again = Edit.applied(try edits(["fullName=Ann"]), to: result.record)
    #expect(again == nil || !json.contains("Ann"))
  }
}
