// swift-tools-version: 6.2

import PackageDescription

// On Apple platforms libcrypto is used only where a package chooses the trait: `traits: ["OpenSSL"]`.
#if os(Linux)
let defaultTraits: Set<String> = ["OpenSSL"]
#else
let defaultTraits: Set<String> = []
#endif

let package = Package(
    name: "MdocKit",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "MdocKit", targets: ["MdocKit"]),
        .library(name: "MdocElements", targets: ["MdocElements"]),
        .library(name: "MdocProximity", targets: ["MdocProximity"]),
        .library(name: "MdocTrust", targets: ["MdocTrust"]),
        .library(name: "MdocResults", targets: ["MdocResults"]),
        .library(name: "MdocWallet", targets: ["MdocWallet"]),
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
        .package(path: "../SwiftCBOR-local"),
        .package(path: "../CryptoCore", traits: .openSSLAsHere),
        .package(path: "../COSEKit", traits: .openSSLAsHere),
        .package(path: "../JSONKit"),
        .package(path: "../JOSEKit", traits: .openSSLAsHere),
        .package(path: "../StatusListKit", traits: .openSSLAsHere),
        .package(path: "../CredentialTransport"),
        .package(path: "../CredentialWallet", traits: .openSSLAsHere),
        .package(path: "../../Tests/TestSupport"),
    ],
    targets: [
        .target(
            name: "MdocKit",
            dependencies: [
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "COSEKit", package: "COSEKit"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "StatusListKit", package: "StatusListKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
            ],
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "MdocElements",
            dependencies: [
                "MdocKit",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JSONKit", package: "JSONKit"),
            ],
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "MdocProximity",
            dependencies: [
                "MdocKit",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "COSEKit", package: "COSEKit"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
            ],
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "MdocTrust",
            dependencies: [
                "MdocKit",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "COSEKit", package: "COSEKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "ProtectedFiles", package: "CredentialWallet"),
            ],
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "MdocResults",
            dependencies: [
                "MdocKit",
                "MdocElements",
                "MdocProximity",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "COSEKit", package: "COSEKit"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
            ],
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "MdocWallet",
            dependencies: [
                "MdocKit",
                .product(name: "CredentialWallet", package: "CredentialWallet"),
                .product(name: "CryptoCore", package: "CryptoCore"),
            ],
            swiftSettings: .houseMemorySafe
        ),
        .testTarget(
            name: "MdocWalletTests",
            dependencies: [
                "MdocKit",
                "MdocWallet",
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "CredentialTesting", package: "CryptoCore"),
                .product(name: "CredentialWallet", package: "CredentialWallet"),
                .product(name: "CryptoCore", package: "CryptoCore"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "MdocKitTests",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "MdocKit",
                "MdocElements",
                "MdocProximity",
                "MdocTrust",
                "MdocResults",
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "COSEKit", package: "COSEKit"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "StatusListKit", package: "StatusListKit"),
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
    /// A trait of the layers below is on where it is on here.
    static var openSSLAsHere: Self { [.trait(name: "OpenSSL", condition: .when(traits: ["OpenSSL"]))] }
}
