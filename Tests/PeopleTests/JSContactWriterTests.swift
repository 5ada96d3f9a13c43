// How Cards are put together: members of one object come from lines that stand apart, and some come after their object was closed.
import CardSyntax
import People
import Testing

/// The Cards of cards with these lines, UID, braces and what every Card has left out.
private func cards(_ cards: [String]) -> [String] {
  let text = cards.map { "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:0\r\n\($0.replacing("\n", with: "\r\n"))\r\nEND:VCARD\r\n" }.joined()
  let head = #"{"@type":"Card","version":"1.0","uid":"urn:uuid:0","#
  return convert(text, .vcard4, to: .jscontact).text.split(separator: "\n").dropFirst().dropLast().map { line in
    String(line.replacing(head, with: "").dropLast(line.hasSuffix(",") ? 2 : 1))
  }
}

@Suite struct JSContactWriterTests {
  /// A map stands where its first entry came, with those that came later; what belongs to an object that is there already is added to it.
  private static let scattered = (
    card: """
    TEL:1
    EMAIL:a@b.c
    item1.ADR:;;1 Quay;;;;
    FN;LANGUAGE=DE:A
    LANGUAGE:De
    TEL;PROP-ID=PHONE-2:2
    item1.GEO:geo:1,2
    TEL:3
    item1.TZ:Europe/Berlin
    GENDER:F
    item2.ADR:;;2 Quay;;;;
    item2.GEO:geo:3,4
    item2.GEO:geo:5,6
    GRAMGENDER:NEUTER
    item3.TITLE:Boss
    item3.ORG:Works
    PRONOUNS:she
    BDAY:20010203
    BIRTHPLACE:Rome
    TEL;PROP-ID=PHONE-2:4
    CATEGORIES:a,b,a
    """,
    json: #""phones":{"PHONE-1":{"number":"1"},"PHONE-2":{"number":"2"},"PHONE-3":{"number":"3"},"#
      + #""PHONE-4":{"number":"4","vCardParams":{"prop-id":"PHONE-2"}}},"emails":{"EMAIL-1":{"address":"a@b.c"}},"#
      + #""addresses":{"ADDR-1":{"components":[{"kind":"name","value":"1 Quay"}],"vCardParams":{"group":"item1"},"#
      + #""coordinates":"geo:1,2","timeZone":"Europe/Berlin"},"ADDR-2":{"components":[{"kind":"name","value":"2 Quay"}],"#
      + #""vCardParams":{"group":"item2"},"coordinates":"geo:3,4"},"ADDR-3":{"coordinates":"geo:5,6","vCardParams":{"group":"item2"}}},"#
      + #""name":{"full":"A"},"language":"De","speakToAs":{"grammaticalGender":"neuter","pronouns":{"PRONOUNS-1":{"pronouns":"she"}}},"#
      + #""titles":{"TITLE-1":{"name":"Boss","kind":"title","vCardParams":{"group":"item3"},"organizationId":"ORG-1"}},"#
      + #""organizations":{"ORG-1":{"name":"Works","vCardParams":{"group":"item3"}}},"#
      + #""anniversaries":{"ANNIVERSARY-1":{"kind":"birth","date":{"year":2001,"month":2,"day":3},"place":{"full":"Rome"}}},"#
      + #""keywords":{"a":true,"b":true},"vCardProps":[["fn",{"language":"DE"},"text","A"],["gender",{},"text","F"],"#
      + #"["categories",{},"text","a"],["geo",{"group":"item1"},"uri","geo:1,2"],["tz",{"group":"item1"},"text","Europe/Berlin"],"#
      + #"["geo",{"group":"item2"},"uri","geo:3,4"]]"#
  )

  @Test func linesThatStandApart() {
    let plain = ("FN:B\nTEL:5", #""name":{"full":"B"},"phones":{"PHONE-1":{"number":"5"}}"#)
    // Nothing of a card is left for the next one.
    #expect(
      cards([Self.scattered.card, plain.0, Self.scattered.card, plain.0])
        == [Self.scattered.json, plain.1, Self.scattered.json, plain.1])
  }

  /// Keys are told apart among many as among few.
  @Test(arguments: [3, 16, 17, 40]) func repeatedKeys(_ count: Int) {
    let keys = (0..<count).map { "k\($0)" }
    let lines = "FN:A\nCATEGORIES:\(keys.joined(separator: ","))\nTEL:1\nCATEGORIES:new,\(keys.joined(separator: ","))"
    let members = (keys + ["new"]).map { "\"\($0)\":true" }.joined(separator: ",")
    let kept = keys.map { "\"\($0)\"" }.joined(separator: ",")
    #expect(
      cards([lines]) == [
        #""name":{"full":"A"},"keywords":{\#(members)},"phones":{"PHONE-1":{"number":"1"}},"vCardProps":[["categories",{},"text",\#(kept)]]"#
      ])
  }

  /// A head that has more kinds of values than are remembered, and values that are looked at each time, become what they are.
  @Test func valuesOfManyKinds() {
    func name(_ number: Int) -> String { (0..<5).map { number >> $0 & 1 == 1 ? "\($0)" : "" }.joined(separator: ";") }
    func street(_ number: Int) -> String { (0..<7).map { number >> $0 & 1 == 1 ? "\($0)" : "" }.joined(separator: ";") }
    let lines = (1..<128).map { "FN:A\nN:\(name($0 % 31 + 1))\nADR:\(street($0))\nBDAY:--02\($0 % 20 + 10)\nNOTE:\($0)" }
    let all = cards(lines + lines)
    #expect(all.count == 254 && all[..<127] == all[127...])
    #expect(lines.indices.allSatisfy { cards([lines[$0]]) == [all[$0]] })
  }
}
