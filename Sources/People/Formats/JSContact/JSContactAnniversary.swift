// Anniversaries: a date and perhaps a place, both ways (RFC 9555 2.5.1).

/// Anniversary objects.
struct JSContactAnniversary: Sendable {
  let kind: String
  /// The property of the date.
  let date: String
  /// The property of the place; nil where vCard has none.
  let place: String?

  static let all = [
    JSContactAnniversary(kind: "birth", date: JSContactRow.name("birthday"), place: JSContactRow.name("birthPlace")),
    JSContactAnniversary(kind: "death", date: JSContactRow.name("deathDate"), place: JSContactRow.name("deathPlace")),
    JSContactAnniversary(kind: "wedding", date: JSContactRow.name("anniversary"), place: nil),
  ]

  // MARK: From vCard

  /// The object of a date; nil where the value is none that JSContact has.
  func object(of property: PropertyText) -> JSONObject? {
    var property = property
    let value = PartialDate(property.text)
    guard property.type != "text", value.isDate, property.values.count == 1 else { return nil }
    var date = JSONObject()
    if value.time.isEmpty {
      guard value.year != nil || value.month != nil && value.day != nil else { return nil }
      for (key, part) in [("year", value.year), ("month", value.month), ("day", value.day)] {
        if let part { date[key] = .number("\(part)") }
      }
      if let scale = property.parameter("calscale"), scale.count == 1 {
        date["calendarScale"] = .string(scale[0].lowercased())
        _ = property.take("calscale")
      }
    } else {
      guard value.time.hasSuffix("Z"), let utc = UTCDateTime.text(value) else { return nil }
      date["@type"] = .string("Timestamp")
      date["utc"] = .string(utc)
    }
    var object = JSONObject([("kind", .string(kind)), ("date", .object(date))])
    object["vCardParams"] = JSContactParameters.rest(of: property)
    return object
  }

  /// The place as an address; nil where it is none that JSContact has.
  func place(of property: PropertyText) -> JSONObject? {
    var object = JSONObject()
    if property.type == "uri", property.text.lowercased().hasPrefix("geo:") {
      object["coordinates"] = .string(property.text)
    } else if property.type == "text", !property.text.isEmpty {
      object["full"] = .string(property.text)
    } else {
      return nil
    }
    var property = property
    property.type = JSContactParameters.impliedType(property.name, property.text)
    object["vCardParams"] = JSContactParameters.rest(of: property)
    return object
  }

  // MARK: To vCard

  /// Takes date and place out of an object; nil where the date is none of vCard's.
  func properties(of object: inout JSONObject) -> (date: PropertyText, place: PropertyText?)? {
    guard var date = object["date"]?.members else { return nil }
    var value = PartialDate()
    var property = PropertyText(self.date, "date-and-or-time", "")
    if let utc = date["utc"]?.text {
      guard let basic = UTCDateTime.basic(utc) else { return nil }
      property.values = [[[basic]]]
      date["utc"] = nil
      if date["@type"]?.text == "Timestamp" { date["@type"] = nil }
    } else {
      (value.year, value.month, value.day) = (date.take("year")?.count, date.take("month")?.count, date.take("day")?.count)
      guard (0...9999).contains(value.year ?? 0), value.year != nil || value.month != nil && value.day != nil,
        value.day == nil || value.month != nil,
        PartialDate(value.basic) == value
      else { return nil }
      property.values = [[[value.basic]]]
      if date["@type"]?.text == "PartialDate" { date["@type"] = nil }
      if let scale = date.takeText("calendarScale") { property.parameters.append(("calscale", [scale])) }
    }
    guard date.isEmpty else { return nil }
    object["date"] = nil
    object["kind"] = nil
    if object["@type"]?.text == "Anniversary" { object["@type"] = nil }
    JSContactParameters.takeRest(of: &object, to: &property)
    return (property, takePlace(of: &object))
  }

  private func takePlace(of object: inout JSONObject) -> PropertyText? {
    guard let name = place, var place = object["place"]?.members else { return nil }
    var property: PropertyText
    if let text = place["full"]?.text {
      property = PropertyText(name, "text", text)
      place["full"] = nil
    } else if let text = place["coordinates"]?.text, text.lowercased().hasPrefix("geo:") {
      property = PropertyText(name, "uri", text)
      place["coordinates"] = nil
    } else {
      return nil
    }
    let type = property.type
    if place["@type"]?.text == "Address" { place["@type"] = nil }
    JSContactParameters.takeRest(of: &place, to: &property)
    property.type = type
    object["place"] = place.isEmpty ? nil : .object(place)
    return property
  }
}
