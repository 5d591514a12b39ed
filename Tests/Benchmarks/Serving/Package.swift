// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "ServingBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../../../Packages/CredentialServing", traits: ["Server"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.20.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.86.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    ],
    targets: [
        // Both folders by links.
        .systemLibrary(name: "Caffinity"),
        .target(name: "Harness", dependencies: ["Caffinity"], swiftSettings: .house),
        .executableTarget(
            name: "ServingBenchmarks",
            dependencies: [
                "Harness",
                .product(name: "CredentialServing", package: "CredentialServing"),
                .product(name: "CredentialServingHummingbird", package: "CredentialServing"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
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
}
