// swift-tools-version: 6.2

import PackageDescription

// On Apple platforms libcrypto is used only where a package chooses the trait: `traits: ["OpenSSL"]`.
#if os(Linux)
let defaultTraits: Set<String> = ["OpenSSL"]
#else
let defaultTraits: Set<String> = []
#endif

let package = Package(
    name: "SDJWTKit",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "SDJWTKit", targets: ["SDJWTKit"]),
        .library(name: "SDJWTWallet", targets: ["SDJWTWallet"]),
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
        .package(path: "../StatusListKit", traits: .openSSLAsHere),
        .package(path: "../DIDKit", traits: .openSSLAsHere),
        .package(path: "../CredentialTransport"),
        .package(path: "../CredentialWallet", traits: .openSSLAsHere),
        .package(path: "../../Tests/TestSupport"),
    ],
    targets: [
        .target(
            name: "SDJWTKit",
            dependencies: [
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "StatusListKit", package: "StatusListKit"),
                .product(name: "DIDKit", package: "DIDKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "SDJWTWallet",
            dependencies: [
                "SDJWTKit",
                .product(name: "CredentialWallet", package: "CredentialWallet"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "JOSEKit", package: "JOSEKit"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "SDJWTWalletTests",
            dependencies: [
                "SDJWTKit",
                "SDJWTWallet",
                .product(name: "CredentialWallet", package: "CredentialWallet"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "JOSEKit", package: "JOSEKit"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "SDJWTKitTests",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "SDJWTKit",
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "StatusListKit", package: "StatusListKit"),
                .product(name: "DIDKit", package: "DIDKit"),
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
