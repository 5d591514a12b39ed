// swift-tools-version: 6.2

import PackageDescription

// On Apple platforms libcrypto is used only where a package chooses the trait: `traits: ["OpenSSL"]`.
#if os(Linux)
let defaultTraits: Set<String> = ["OpenSSL"]
#else
let defaultTraits: Set<String> = []
#endif

let package = Package(
    name: "CredentialWallet",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "CredentialWallet", targets: ["CredentialWallet"]),
        .library(name: "CredentialWalletSQLite", targets: ["CredentialWalletSQLite"]),
        .library(name: "ProtectedFiles", targets: ["ProtectedFiles"]),
    ],
    traits: [
        .trait(
            name: "OpenSSL",
            description: "Uses libcrypto for the algorithms that swift-crypto lacks. On by default on Linux alone."
        ),
        .trait(name: "SQLite", description: "Brings stores in an SQLite file, over GRDB."),
        .default(enabledTraits: defaultTraits),
    ],
    dependencies: [
        .package(path: "../VerificationCore"),
        .package(path: "../SwiftCBOR-local"),
        .package(path: "../CryptoCore", traits: .openSSLAsHere),
        .package(path: "../CredentialTransport", traits: .sqliteAsHere),
        .package(path: "../../Tests/TestSupport"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.8.0"),
    ],
    targets: [
        // What the stores of all layers need to keep their content in a file of their own.
        .target(
            name: "ProtectedFiles",
            dependencies: [
                .product(name: "CryptoCore", package: "CryptoCore")
            ],
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "CredentialWallet",
            dependencies: [
                "ProtectedFiles",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "CryptoCore", package: "CryptoCore"),
            ],
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "CredentialWalletSQLite",
            dependencies: [
                "CredentialWallet",
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "SQLiteFiles", package: "CredentialTransport"),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: .house
        ),
        // The contract that every storage must keep, as tests call it. No product.
        .target(
            name: "CredentialWalletContracts",
            dependencies: [
                "CredentialWallet",
                .product(name: "CryptoCore", package: "CryptoCore"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialWalletTests",
            dependencies: [
                "ProtectedFiles",
                "CredentialWallet",
                "CredentialWalletContracts",
                "CredentialWalletSQLite",
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .product(name: "SQLiteTesting", package: "TestSupport", condition: .when(traits: ["SQLite"])),
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
    static var sqliteAsHere: Self { [.trait(name: "SQLite", condition: .when(traits: ["SQLite"]))] }
}
