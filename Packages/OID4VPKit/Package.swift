// swift-tools-version: 6.2

import PackageDescription

// On Apple platforms libcrypto is used only where a package chooses the trait: `traits: ["OpenSSL"]`.
#if os(Linux)
let defaultTraits: Set<String> = ["OpenSSL"]
#else
let defaultTraits: Set<String> = []
#endif

let package = Package(
    name: "OID4VPKit",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "OpenIDFederation", targets: ["OpenIDFederation"]),
        .library(name: "OID4VPMessages", targets: ["OID4VPMessages"]),
        .library(name: "OID4VPKit", targets: ["OID4VPKit"]),
        .library(name: "OID4VPVerifier", targets: ["OID4VPVerifier"]),
        .library(name: "OID4VPFacade", targets: ["OID4VPFacade"]),
    ],
    traits: [
        .trait(
            name: "OpenSSL",
            description: "Uses libcrypto for the algorithms that swift-crypto lacks. On by default on Linux alone."
        ),
        .default(enabledTraits: defaultTraits),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.0.0"),
        .package(path: "../VerificationCore"),
        .package(path: "../SwiftCBOR-local"),
        .package(path: "../JSONKit"),
        .package(path: "../CryptoCore", traits: .openSSLAsHere),
        .package(path: "../JOSEKit", traits: .openSSLAsHere),
        .package(path: "../COSEKit", traits: .openSSLAsHere),
        .package(path: "../StatusListKit", traits: .openSSLAsHere),
        .package(path: "../DIDKit", traits: .openSSLAsHere),
        .package(path: "../SDJWTKit", traits: .openSSLAsHere),
        .package(path: "../MdocKit", traits: .openSSLAsHere),
        .package(path: "../LinkedDataKit", traits: .openSSLAsHere),
        .package(path: "../CredentialTransport"),
        .package(path: "../CredentialServing"),
        .package(path: "../../Tests/TestSupport"),
    ],
    targets: [
        .target(
            name: "OpenIDFederation",
            dependencies: [
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "OID4VPMessages",
            dependencies: [
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "SDJWTKit", package: "SDJWTKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "OID4VPKit",
            dependencies: [
                "OpenIDFederation",
                "OID4VPMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "DIDKit", package: "DIDKit"),
                .product(name: "COSEKit", package: "COSEKit"),
                .product(name: "SDJWTKit", package: "SDJWTKit"),
                .product(name: "MdocKit", package: "MdocKit"),
                .product(name: "MdocElements", package: "MdocKit"),
                .product(name: "LinkedDataKit", package: "LinkedDataKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "OID4VPVerifier",
            dependencies: [
                "OpenIDFederation",
                "OID4VPMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "COSEKit", package: "COSEKit"),
                .product(name: "StatusListKit", package: "StatusListKit"),
                .product(name: "DIDKit", package: "DIDKit"),
                .product(name: "SDJWTKit", package: "SDJWTKit"),
                .product(name: "MdocKit", package: "MdocKit"),
                .product(name: "MdocElements", package: "MdocKit"),
                .product(name: "MdocResults", package: "MdocKit"),
                .product(name: "LinkedDataKit", package: "LinkedDataKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "CredentialServing", package: "CredentialServing"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "OID4VPFacade",
            dependencies: [
                "OID4VPKit",
                "OID4VPMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "DIDKit", package: "DIDKit"),
                .product(name: "SDJWTKit", package: "SDJWTKit"),
                .product(name: "MdocKit", package: "MdocKit"),
                .product(name: "LinkedDataKit", package: "LinkedDataKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
            ],
            swiftSettings: .house
        ),
        // A verifier and a wallet with credentials, as the tests of this layer and those over sockets use them. No product.
        .target(
            name: "OID4VPTesting",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "OpenIDFederation",
                "OID4VPKit",
                "OID4VPVerifier",
                "OID4VPMessages",
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "DIDKit", package: "DIDKit"),
                .product(name: "SDJWTKit", package: "SDJWTKit"),
                .product(name: "MdocKit", package: "MdocKit"),
                .product(name: "LinkedDataKit", package: "LinkedDataKit"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "OpenIDFederationTests",
            dependencies: [
                "OID4VPTesting",
                "OpenIDFederation",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "OID4VPMessagesTests",
            dependencies: [
                "OID4VPMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "SDJWTKit", package: "SDJWTKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "OID4VPKitTests",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "OID4VPKit",
                "OpenIDFederation",
                "OID4VPMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "DIDKit", package: "DIDKit"),
                .product(name: "COSEKit", package: "COSEKit"),
                .product(name: "SDJWTKit", package: "SDJWTKit"),
                .product(name: "MdocKit", package: "MdocKit"),
                .product(name: "LinkedDataKit", package: "LinkedDataKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "OID4VPVerifierTests",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "OpenIDFederation",
                "OID4VPVerifier",
                "OID4VPMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "COSEKit", package: "COSEKit"),
                .product(name: "StatusListKit", package: "StatusListKit"),
                .product(name: "DIDKit", package: "DIDKit"),
                .product(name: "SDJWTKit", package: "SDJWTKit"),
                .product(name: "MdocKit", package: "MdocKit"),
                .product(name: "MdocResults", package: "MdocKit"),
                .product(name: "LinkedDataKit", package: "LinkedDataKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "CredentialServing", package: "CredentialServing"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Yams", package: "Yams"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "OID4VPEndToEndTests",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "OID4VPTesting",
                "OID4VPKit",
                "OID4VPVerifier",
                "OpenIDFederation",
                "OID4VPMessages",
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "SDJWTKit", package: "SDJWTKit"),
                .product(name: "MdocKit", package: "MdocKit"),
                .product(name: "LinkedDataKit", package: "LinkedDataKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "CredentialServing", package: "CredentialServing"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "OID4VPFacadeTests",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "OID4VPFacade",
                "OID4VPKit",
                "OID4VPMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "DIDKit", package: "DIDKit"),
                .product(name: "SDJWTKit", package: "SDJWTKit"),
                .product(name: "MdocKit", package: "MdocKit"),
                .product(name: "LinkedDataKit", package: "LinkedDataKit"),
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
