// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-credentials", path: "../.."),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
    ],
    targets: [
        .systemLibrary(name: "CLibFuzzer"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "TestSupport",
                .product(name: "CBORKit", package: "swift-credentials"),
                .product(name: "JSONKit", package: "swift-credentials"),
                .product(name: "CryptoCore", package: "swift-credentials"),
                .product(name: "COSEKit", package: "swift-credentials"),
                .product(name: "JOSEKit", package: "swift-credentials"),
                .product(name: "CredentialTransport", package: "swift-credentials"),
                .product(name: "StatusListKit", package: "swift-credentials"),
                .product(name: "SDJWTKit", package: "swift-credentials"),
                .product(name: "MdocKit", package: "swift-credentials"),
                .product(name: "IdemixCore", package: "swift-credentials"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: .house
        ),
        .executableTarget(
            name: "Fuzz",
            dependencies: ["CLibFuzzer", "FuzzTargets"],
            swiftSettings: .house,
            // gold, the toolchain's default on Debian, cannot link the fuzzer's runtime.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
        ),
        .executableTarget(
            name: "Mutations",
            dependencies: [
                "FuzzTargets", "TestSupport",
                .product(name: "JSONKit", package: "swift-credentials"),
            ],
            swiftSettings: .house
        ),
        // The folder Tests/TestSupport by a link.
        .target(name: "TestSupport", swiftSettings: .house),
    ]
)

extension [SwiftSetting] {
    /// What every target of this repository is compiled with.
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
