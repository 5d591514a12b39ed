// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "JSONKit",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "JSONKit", targets: ["JSONKit"])
    ],
    dependencies: [
        .package(path: "../../Tests/TestSupport")
    ],
    targets: [
        .target(name: "CJSONKitBytes"),
        .target(name: "JSONKit", dependencies: ["CJSONKitBytes"], swiftSettings: .houseMemorySafe),
        .testTarget(
            name: "JSONKitTests",
            dependencies: [
                "JSONKit",
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
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
