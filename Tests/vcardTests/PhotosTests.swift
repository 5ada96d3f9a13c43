// `photos` and `convert --photos DIR`: bytes as files of their true type, back again, and never anything outside the folder.
import Files
import TestSupport
import Testing

@testable import vcard

private let jpeg = "/9j/4AAQSkZJRgABAQAAAQABAAD/2Q=="
private let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB"
private let ann = oddCard("Ann", "PHOTO;ENCODING=b;TYPE=PNG:\(jpeg)\nUID:urn:uuid:4F\nLOGO;ENCODING=b;TYPE=PNG:\(png)\n")
private let second = oddCard("ann", "PHOTO;ENCODING=b;TYPE=JPEG;X-ABCROP-RECTANGLE=x:\(png)\nPHOTO;ENCODING=b:\(jpeg)\n")
private let linked = oddCard("Bo", "PHOTO;VALUE=uri:file:///etc/passwd\nPHOTO:../../secret.png\n")

@Suite struct PhotosTests {
  @Test func writesFiles() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), oddCard("../up") + oddCard("Ann") + ann + second + linked)
      let run = try Finished("photos %/a.vcf -o %/p", in: folder)
      #expect(run.status == 0)
      let p = folder.file("p")
      #expect(
        run.output == """
          \(p)/Ann-2.jpg\timage/jpeg\t22
          \(p)/Ann-2 (logo).png\timage/png\t24
          \(p)/ann-3.png\timage/png\t24
          \(p)/ann-3 (2).jpg\timage/jpeg\t22

          """)
      #expect(run.errors.contains("[picture-reference]"))
      #expect(try names(in: p) == ["Ann-2 (logo).png", "Ann-2.jpg", "ann-3 (2).jpg", "ann-3.png"])
      #expect(try names(in: folder) == ["a.vcf", "p"])
      #expect(try FileSystem.status(p.file("ann-3.png"))?.size == 24)
      #expect(try Finished("photos -n %/a.vcf -o %/none", in: folder).errors.contains("would write \(folder)/none/Ann-2.jpg"))
      #expect(try names(in: folder) == ["a.vcf", "p"])
      let lines = try Finished("photos --report json %/a.vcf -o %/q", in: folder).output.split(separator: "\n")
      #expect(
        lines.first == #"{"path":"\#(folder)/q/Ann-2.jpg","mediaType":"image/jpeg","file":"\#(folder)/a.vcf","contact":2,"bytes":22}"#)
      #expect(lines.count == 4)
      for wrong in ["", "-o -", "-i", "-o %/a.vcf", "--attach %/none -o %/b.vcf", "--attach %/a.vcf -o %/b.vcf", "--max-bytes x"] {
        #expect(vcardTests.run("photos %/a.vcf \(wrong)", in: folder) == 2)
      }
    }
  }

  @Test func takesPicturesOff() throws {
    try withFolder { folder in
      let text = "\r\n" + ann + "junk\r\n" + second + linked
      try writeFile(folder.file("a.vcf"), text)
      #expect(run("photos --strip %/a.vcf -o %/b.vcf", in: folder) == 0)
      let stripped = "\r\n" + oddCard("Ann", "UID:urn:uuid:4F\n") + "junk\r\n" + oddCard("ann") + oddCard("Bo")
      #expect(try readFile(folder.file("b.vcf")) == stripped)
      #expect(run("photos --max-bytes 22 %/a.vcf -o %/b.vcf", in: folder) == 0)
      let small = text.replacing("LOGO;ENCODING=b;TYPE=PNG:\(png)\r\n", with: "")
        .replacing("PHOTO;ENCODING=b;TYPE=JPEG;X-ABCROP-RECTANGLE=x:\(png)\r\n", with: "")
      #expect(try readFile(folder.file("b.vcf")) == small)
      #expect(run("photos --max-bytes 22 -t jsonl %/a.vcf -o %/b.jsonl", in: folder) == 0)
      #expect(run("photos --strip %/b.jsonl -o %/c.jsonl", in: folder) == 0)
      #expect(try !readFile(folder.file("c.jsonl")).contains("photos"))
      #expect(run("convert %/a.vcf -o %/d.json", in: folder) == 0)
      #expect(run("photos --max-bytes 22 -i %/d.json", in: folder) == 0)
      #expect(try readFile(folder.file("d.json")).split(separator: "\"data\"").count == 3)
    }
  }

  @Test func attachesFiles() throws {
    try withFolder { folder in
      let text = ann + second + linked
      try writeFile(folder.file("a.vcf"), text)
      #expect(run("photos %/a.vcf -o %/p -n", in: folder) == 0)
      #expect(try Finished("photos %/a.vcf -o %/p", in: folder).status == 0)
      #expect(run("photos --strip %/a.vcf -o %/s.vcf", in: folder) == 0)
      #expect(run("photos --attach %/p %/s.vcf -o %/b.vcf", in: folder) == 0)
      let back = oddCard("Ann", "UID:urn:uuid:4F\n", end: "PHOTO;ENCODING=b;TYPE=JPEG:\(jpeg)\n")
      #expect(try readFile(folder.file("b.vcf")) == back + oddCard("ann", end: "PHOTO;ENCODING=b;TYPE=PNG:\(png)\n") + oddCard("Bo"))
      // The same picture changes nothing; another one replaces the first, and what was said of that.
      #expect(run("photos --attach %/p -i --backup ~ %/b.vcf", in: folder) == 0)
      #expect(try FileSystem.status(folder.file("b.vcf~")) == nil)
      FileSystem.remove(folder.file("p/Ann.jpg"))
      FileSystem.remove(folder.file("p/ann-2.png"))
      try FileSystem.move(folder.file("p/ann-2 (2).jpg"), to: folder.file("p/ANN-2.x"))
      try FileSystem.move(folder.file("p/Ann (logo).png"), to: folder.file("p/4f.png"))
      #expect(run("photos --attach %/p %/a.vcf -o %/c.vcf", in: folder) == 0)
      let wanted = text.replacing("PHOTO;ENCODING=b;TYPE=PNG:\(jpeg)", with: "PHOTO;ENCODING=b;TYPE=PNG:\(png)")
        .replacing("PHOTO;ENCODING=b;TYPE=JPEG;X-ABCROP-RECTANGLE=x:\(png)", with: "PHOTO;ENCODING=b;TYPE=JPEG:\(jpeg)")
      #expect(try readFile(folder.file("c.vcf")) == wanted)
      try writeFile(folder.file("p/Bo.png"), "no picture")
      let run = try Finished("photos --attach %/p %/a.vcf -o %/c.vcf", in: folder)
      #expect(run.status == 1 && run.errors.contains("Bo.png: error: no picture of a known kind; not attached [no-picture]"))
      #expect(try readFile(folder.file("c.vcf")) == wanted)
    }
  }

  @Test func convertsWithFiles() throws {
    try withFolder { folder in
      try writeFile(folder.file("a.vcf"), oddCard("A & Ö", "PHOTO;ENCODING=b;TYPE=JPEG:\(jpeg)\n"))
      let reference = "pics/A%20%26%20%C3%96.jpg"
      try FileSystem.makeFolders(folder.file("out"))
      #expect(run("convert %/a.vcf -o %/out/b.json --photos %/out/pics", in: folder) == 0)
      #expect(try readFile(folder.file("out/b.json")).contains(#""photos":[{"mediaType":"image/jpeg","uri":"\#(reference)"}]"#))
      #expect(try names(in: folder.file("out/pics")) == ["A & Ö.jpg"])
      for version in ["vcard3", "vcard4"] {
        #expect(run("convert %/a.vcf -o %/c.vcf --photos %/out/pics -t \(version)", in: folder) == 0)
        #expect(try readFile(folder.file("c.vcf")).contains(":out/" + reference))
        // A reference stays one in every form.
        #expect(run("convert %/c.vcf -o %/d.jsonl", in: folder) == 0)
        #expect(try readFile(folder.file("d.jsonl")).contains(#""uri":"out/\#(reference)""#))
        #expect(run("convert %/d.jsonl -o %/e.vcf -t \(version)", in: folder) == 0)
        #expect(try readFile(folder.file("e.vcf")).contains(":out/" + reference))
      }
      #expect(run("convert %/out/b.json -o %/c.json --photos %/more", in: folder) == 0)
      #expect(try names(in: folder.file("more")) == [])
    }
  }

  @Test(arguments: [
    ("a/b.jpg", "a", "b.jpg"), ("a/b.jpg", ".", "a/b.jpg"), ("a/b.jpg", "c/d", "../../a/b.jpg"), ("./a/../x.jpg", "a", "../x.jpg"),
    ("/a/b c.jpg", "/a", "b%20c.jpg"), ("/a/b.jpg", "/", "a/b.jpg"), ("../p/x", ".", "../p/x"),
  ])
  func findsTheWay(_ path: String, _ folder: String, _ wanted: String) {
    #expect(FilePath(path).reference(from: FilePath(folder)) == wanted)
  }
}
