// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-credentials", path: "../..", traits: [.defaults, "SQLite", "Redis"]),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.86.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.8.0"),
    ],
    targets: [
        // The peer that CBORKit is measured against.
        .systemLibrary(
            name: "Clibcbor",
            pkgConfig: "libcbor",
            providers: [.apt(["libcbor-dev"]), .brew(["libcbor"])]
        ),
        // The primitive that IdemixCore is measured against.
        .systemLibrary(
            name: "Cgmp",
            pkgConfig: "gmp",
            providers: [.apt(["libgmp-dev"]), .brew(["gmp"])]
        ),
        // System calls for a thread's cores.
        .systemLibrary(name: "Caffinity"),
        // Counts the allocations of a call.
        .target(name: "Callocations"),
        .target(name: "Harness", dependencies: ["Caffinity"], swiftSettings: .house),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Harness",
                "TestSupport",
                "Callocations",
                "Clibcbor",
                "Cgmp",
                .product(name: "CBORKit", package: "swift-credentials"),
                .product(name: "JSONKit", package: "swift-credentials"),
                .product(name: "CryptoCore", package: "swift-credentials"),
                .product(name: "CredentialTesting", package: "swift-credentials"),
                .product(name: "COSEKit", package: "swift-credentials"),
                .product(name: "JOSEKit", package: "swift-credentials"),
                .product(name: "StatusListKit", package: "swift-credentials"),
                .product(name: "MdocKit", package: "swift-credentials"),
                .product(name: "SDJWTKit", package: "swift-credentials"),
                .product(name: "DIDKit", package: "swift-credentials"),
                .product(name: "LinkedDataKit", package: "swift-credentials"),
                .product(name: "OID4VPMessages", package: "swift-credentials"),
                .product(name: "OID4VPKit", package: "swift-credentials"),
                .product(name: "OID4VPVerifier", package: "swift-credentials"),
                .product(name: "IdemixCore", package: "swift-credentials"),
                .product(name: "IRMAMessages", package: "swift-credentials"),
                .product(name: "IRMAServer", package: "swift-credentials"),
                .product(name: "CredentialServing", package: "swift-credentials"),
                .product(name: "CredentialServingSQLite", package: "swift-credentials"),
                .product(name: "CredentialServingRedis", package: "swift-credentials"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                // The drivers that the session stores are measured against.
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: .house
        ),
        // The folder Tests/TestSupport by a link.
        .target(name: "TestSupport", swiftSettings: .house),
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
