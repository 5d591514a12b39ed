// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "TestSupport",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "TestSupport", targets: ["TestSupport"]),
        .library(name: "SQLiteTesting", targets: ["SQLiteTesting"]),
    ],
    targets: [
        .target(name: "TestSupport", swiftSettings: .house),
        .systemLibrary(
            name: "CSQLiteTesting",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        // For the tests of stores in SQLite; apart, so that no other test links SQLite.
        .target(name: "SQLiteTesting", dependencies: ["CSQLiteTesting"], swiftSettings: .house),
    ]
)

extension [SwiftSetting] {
    /// The compiler settings of every target of this repository.
    static var house: [SwiftSetting] {
        [
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
            .enableUpcomingFeature("ExistentialAny"),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
            .enableUpcomingFeature("InternalImportsByDefault"),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
    }

    /// `house`, and every unsafe expression must carry the word `unsafe`.
    static var houseMemorySafe: [SwiftSetting] { house + [.strictMemorySafety()] }
}
