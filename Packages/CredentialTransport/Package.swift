// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "CredentialTransport",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "CredentialTransport", targets: ["CredentialTransport"]),
        .library(name: "SQLiteFiles", targets: ["SQLiteFiles"]),
    ],
    traits: [
        .trait(name: "Client", description: "Brings the HTTP client over async-http-client."),
        .trait(name: "SQLite", description: "Brings stores in an SQLite file, over GRDB."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.86.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.8.0"),
        .package(path: "../../Tests/TestSupport"),
    ],
    targets: [
        .target(
            name: "CredentialTransport",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["Client"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Client"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Client"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Client"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Client"])),
            ],
            swiftSettings: .houseMemorySafe
        ),
        // What the stores of all layers need of SQLite and its files.
        .target(
            name: "SQLiteFiles",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"]))
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialTransportTests",
            dependencies: [
                "CredentialTransport",
                "SQLiteFiles",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                // The local server that the client is tested against.
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Client"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Client"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Client"])),
                .product(name: "NIOTLS", package: "swift-nio", condition: .when(traits: ["Client"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Client"])),
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
