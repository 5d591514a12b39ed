// swift-tools-version: 6.2

import PackageDescription

// On Apple platforms libcrypto is used only where a package chooses the trait: `traits: ["OpenSSL"]`.
#if os(Linux)
let defaultTraits: Set<String> = ["OpenSSL"]
#else
let defaultTraits: Set<String> = []
#endif

let package = Package(
    name: "CryptoCore",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "CryptoCore", targets: ["CryptoCore"]),
        .library(name: "CredentialTesting", targets: ["CredentialTesting"]),
    ],
    traits: [
        .trait(
            name: "OpenSSL",
            description: "Uses libcrypto for the algorithms that swift-crypto lacks. On by default on Linux alone."
        ),
        .default(enabledTraits: defaultTraits),
    ],
    dependencies: [
        .package(path: "../VerificationCore"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.10.0"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.3.0"),
        .package(path: "../../Tests/TestSupport"),
    ],
    targets: [
        // Not named after the library: other packages in a user's build may bring a target `COpenSSL`.
        .systemLibrary(
            name: "CCryptoCoreOpenSSL"
        ),
        .target(
            name: "CryptoCore",
            dependencies: [
                .product(name: "VerificationCore", package: "VerificationCore"),
                .target(name: "CCryptoCoreOpenSSL", condition: .when(traits: ["OpenSSL"])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: .houseMemorySafe
        ),
        // For tests, also those of apps.
        .target(
            name: "CredentialTesting",
            dependencies: ["CryptoCore"],
            swiftSettings: .houseMemorySafe
        ),
        .testTarget(
            name: "CryptoCoreTests",
            dependencies: [
                "CryptoCore",
                "CredentialTesting",
                .target(name: "CCryptoCoreOpenSSL", condition: .when(traits: ["OpenSSL"])),
                .product(name: "TestSupport", package: "TestSupport"),
                // Only the tests use these: as a second opinion on certificates and paths.
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
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
