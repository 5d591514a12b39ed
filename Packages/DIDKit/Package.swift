// swift-tools-version: 6.2

import PackageDescription

// On Apple platforms libcrypto is used only where a package chooses the trait: `traits: ["OpenSSL"]`.
#if os(Linux)
let defaultTraits: Set<String> = ["OpenSSL"]
#else
let defaultTraits: Set<String> = []
#endif

let package = Package(
    name: "DIDKit",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "DIDKit", targets: ["DIDKit"])
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
        .package(path: "../JSONKit"),
        .package(path: "../CryptoCore", traits: .openSSLAsHere),
        .package(path: "../JOSEKit", traits: .openSSLAsHere),
        .package(path: "../CredentialTransport"),
        .package(path: "../../Tests/TestSupport"),
    ],
    targets: [
        .target(
            name: "DIDKit",
            dependencies: [
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "DIDKitTests",
            dependencies: [
                "DIDKit",
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
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

extension Set<Package.Dependency.Trait> {
    /// The trait of the layers below is on where it is on here.
    static var openSSLAsHere: Self { [.trait(name: "OpenSSL", condition: .when(traits: ["OpenSSL"]))] }
}
