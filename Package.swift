// swift-tools-version: 6.2
// The package: byte work, files, vCard syntax, text of the data formats, the person and its table, and the command.
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "vcard",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "People", targets: ["People"]),
    .library(name: "CardSyntax", targets: ["CardSyntax"]),
    .executable(name: "vcard", targets: ["vcard"]),
  ],
  targets: [
    .target(name: "Bytes", swiftSettings: settings),
    .target(name: "Files", dependencies: ["Bytes"], swiftSettings: settings),
    .target(
      name: "CardSyntax", dependencies: ["Bytes"], swiftSettings: settings,
      linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
    .target(name: "DataSyntax", dependencies: ["Bytes"], swiftSettings: settings),
    .target(name: "People", dependencies: ["Bytes", "Files", "CardSyntax", "DataSyntax"], swiftSettings: settings),
    .executableTarget(
      name: "vcard", dependencies: ["Bytes", "Files", "CardSyntax", "DataSyntax", "People"], swiftSettings: settings),
    .executableTarget(name: "card-benchmark", dependencies: ["Bytes", "CardSyntax", "People"], swiftSettings: settings),
    // What the tests share: seeds, generated persons, the files of the checkout, folders that are gone afterwards.
    .target(
      name: "TestSupport", dependencies: ["Bytes", "Files", "CardSyntax", "People"], path: "Tests/TestSupport", swiftSettings: settings),
    .testTarget(name: "BytesTests", dependencies: ["Bytes", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "FilesTests", dependencies: ["Bytes", "Files", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "CardSyntaxTests", dependencies: ["Bytes", "CardSyntax", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "DataSyntaxTests", dependencies: ["Bytes", "DataSyntax", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "PeopleTests", dependencies: ["Bytes", "Files", "CardSyntax", "DataSyntax", "People", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "vcardTests", dependencies: ["Bytes", "Files", "CardSyntax", "People", "TestSupport", "vcard"], exclude: ["Snapshots"],
      swiftSettings: settings),
  ]
)
