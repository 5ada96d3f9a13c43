// The cells of our own CSV that a contact needs, one after the other.

internal import Bytes

/// What a cell is made from.
enum CSVCellForm {
  case text, listText, list, parameters, lines, agent
}

/// Takes the cells that a contact needs.
protocol CSVCellTaker: ~Copyable {
  /// Takes a cell of a column, the place of what it holds, and what it is made from.
  mutating func take(_ column: CSVColumn, _ place: Int, _ form: CSVCellForm, of record: borrowing Record)

  /// Takes all cells of what a value of the column carries besides: those that `cells` gives, or what was made of them for a value of the
  /// same column that carries the same by its number.
  mutating func take(_ column: CSVColumn, carrying number: UInt32, _ cells: (inout Self) -> Void)
}

extension CSVCellTaker where Self: ~Copyable {
  mutating func take(_ column: CSVColumn, carrying number: UInt32, _ cells: (inout Self) -> Void) { cells(&self) }
}

/// Cells in a list.
private struct CSVCellList: CSVCellTaker {
  var cells: [(column: CSVColumn, place: Int, form: CSVCellForm)] = []

  mutating func take(_ column: CSVColumn, _ place: Int, _ form: CSVCellForm, of record: borrowing Record) {
    cells.append((column, place, form))
  }
}

extension Record {
  /// The cells that the contact needs, the place of what each holds, and what it is made from.
  var cells: [(column: CSVColumn, place: Int, form: CSVCellForm)] {
    var list = CSVCellList()
    giveCells(to: &list)
    return list.cells
  }

  /// Gives each cell that the contact needs.
  func giveCells(to taker: inout some CSVCellTaker & ~Copyable) {
    var i = 0
    while i < tokens.count {
      let next = next(i)
      if tokens[i].operation == .field, i + 1 < tokens.count { giveCells(ofField: Int(tokens[i].start), at: i + 1, to: &taker) }
      i = next
    }
  }

  private func giveCells(ofField number: Int, at index: Int, to taker: inout some CSVCellTaker & ~Copyable) {
    switch CSVColumns.layouts[number] {
    case .one: giveCells(of: CSVColumn(field: number), at: index, to: &taker)
    case .agent: taker.take(CSVColumn(field: number), index, .agent, of: self)
    case .unclaimed: if tokens[index].operation == .openList { taker.take(CSVColumn(field: number), index, .lines, of: self) }
    case .details:
      guard tokens[index].operation == .openObject else { return }
      for place in elements(index) where tokens[place].operation == .key {
        if let field = Person.field(string(place)) { giveCells(of: CSVColumn(field: field), at: place + 1, to: &taker) }
      }
    case .texts, .many:
      guard tokens[index].operation == .openList else {
        return giveCells(of: CSVColumn(field: number, number: 1), at: index, to: &taker)
      }
      let end = Int(tokens[index].start)
      if CSVColumns.layouts[number] == .texts {
        var isPlain = true
        var i = index + 1
        while i < end {
          if tokens[i].operation != .text { isPlain = false }
          i = next(i)
        }
        if isPlain { return taker.take(CSVColumn(field: number), index, .list, of: self) }
      }
      var column = CSVColumn(field: number)
      var i = index + 1
      while i < end {
        column.number += 1
        giveCells(of: column, at: i, to: &taker)
        i = next(i)
      }
    }
  }

  /// The cells of one value: one for a text, one for each part of an object.
  private func giveCells(of column: CSVColumn, at index: Int, to taker: inout some CSVCellTaker & ~Copyable) {
    switch tokens[index].operation {
    case .openObject:
      let end = Int(tokens[index].start)
      let carried = carried(index)
      var i = index + 1
      while i < end {
        // What is numbered stands behind the parts of the value.
        if carried > 0, tokens[i].member.isAnnotation {
          return taker.take(column, carrying: carried) { giveCells(ofParts: column, i, end, to: &$0) }
        }
        let next = next(i)
        giveCells(ofParts: column, i, next, to: &taker)
        i = next
      }
    case .text, .number:
      var column = column
      if column.number > 0 { column.member = .value }
      taker.take(column, index, .text, of: self)
    case .openList: taker.take(column, index, .list, of: self)
    case .field, .key, .close: break
    }
  }

  /// The cells of the parts from `index` on.
  private func giveCells(ofParts column: CSVColumn, _ index: Int, _ end: Int, to taker: inout some CSVCellTaker & ~Copyable) {
    var column = column
    var i = index
    while i < end {
      column.member = tokens[i].member
      switch tokens[i].operation {
      case .text, .number: taker.take(column, i, CSVCell.listMembers.contains(column.member) ? .listText : .text, of: self)
      case .openList: taker.take(column, i, .list, of: self)
      case .openObject where column.member == .parameters: taker.take(column, i, .parameters, of: self)
      case .openObject: giveCells(ofInnerParts: column, at: i, to: &taker)
      case .field, .key, .close: break
      }
      i = next(i)
    }
  }

  private func giveCells(ofInnerParts column: CSVColumn, at index: Int, to taker: inout some CSVCellTaker & ~Copyable) {
    let end = Int(tokens[index].start)
    var inner = column
    var i = index + 1
    while i < end {
      inner.inner = tokens[i].member
      if tokens[i].operation == .text || tokens[i].operation == .number {
        taker.take(inner, i, CSVCell.listMembers.contains(inner.inner) ? .listText : .text, of: self)
      } else if tokens[i].operation == .openList {
        taker.take(inner, i, .list, of: self)
      }
      i = next(i)
    }
  }
}
