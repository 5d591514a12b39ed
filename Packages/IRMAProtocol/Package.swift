// swift-tools-version: 6.2

import PackageDescription

// On Apple platforms libcrypto is used only where a package chooses the trait: `traits: ["OpenSSL"]`.
#if os(Linux)
let defaultTraits: Set<String> = ["OpenSSL"]
#else
let defaultTraits: Set<String> = []
#endif

let package = Package(
    name: "IRMAProtocol",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "IRMAMessages", targets: ["IRMAMessages"]),
        .library(name: "IRMAServer", targets: ["IRMAServer"]),
        .library(name: "IRMAServerSQLite", targets: ["IRMAServerSQLite"]),
        .library(name: "IRMAServerPostgreSQL", targets: ["IRMAServerPostgreSQL"]),
        .library(name: "IRMAPostgreSQL", targets: ["IRMAPostgreSQL"]),
        .library(name: "IRMAClient", targets: ["IRMAClient"]),
        .library(name: "KeyshareServer", targets: ["KeyshareServer"]),
        .library(name: "KeyshareServerSQLite", targets: ["KeyshareServerSQLite"]),
        .library(name: "KeyshareServerPostgreSQL", targets: ["KeyshareServerPostgreSQL"]),
        .library(name: "MyIRMAServer", targets: ["MyIRMAServer"]),
    ],
    traits: [
        .trait(name: "SQLite", description: "Brings stores in an SQLite file, over GRDB."),
        .trait(name: "PostgreSQL", description: "Brings stores in PostgreSQL, over libpq."),
        .trait(
            name: "OpenSSL",
            description: "Uses libcrypto for the algorithms that swift-crypto lacks. On by default on Linux alone."
        ),
        .default(enabledTraits: defaultTraits),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.8.0"),
        .package(path: "../VerificationCore"),
        .package(path: "../SwiftCBOR-local"),
        .package(path: "../JSONKit"),
        .package(path: "../CryptoCore", traits: .openSSLAsHere),
        .package(path: "../JOSEKit", traits: .openSSLAsHere),
        .package(path: "../IdemixCore", traits: .openSSLAsHere),
        .package(path: "../CredentialTransport", traits: .sqliteAsHere),
        .package(path: "../CredentialServing"),
        .package(path: "../CredentialWallet", traits: .openSSLAndSQLiteAsHere),
        .package(path: "../../Tests/TestSupport"),
    ],
    targets: [
        .target(
            name: "IRMAMessages",
            dependencies: [
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "IRMAServer",
            dependencies: [
                "IRMAMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "CredentialServing", package: "CredentialServing"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "IRMAServerSQLite",
            dependencies: [
                "IRMAServer",
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "SQLiteFiles", package: "CredentialTransport"),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: .house
        ),
        .systemLibrary(
            name: "CLibPQ",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        // The settings and connections of the stores in PostgreSQL.
        .target(
            name: "IRMAPostgreSQL",
            dependencies: [
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CredentialServing", package: "CredentialServing"),
                .target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"])),
            ],
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "IRMAServerPostgreSQL",
            dependencies: [
                "IRMAServer", "IRMAPostgreSQL",
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "CredentialServing", package: "CredentialServing"),
            ],
            swiftSettings: .house
        ),
        // The contract that all records of a revocation authority must keep, as tests call it. No product.
        .target(
            name: "IRMAServerContracts",
            dependencies: [
                "IRMAServer",
                .product(name: "IdemixCore", package: "IdemixCore"),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "IRMAClient",
            dependencies: [
                "IRMAMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "CredentialWallet", package: "CredentialWallet"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "IRMAMessagesTests",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "IRMAMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "IRMAServerTests",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "IRMAServer", "IRMAServerContracts", "IRMAMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "CredentialServing", package: "CredentialServing"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "IRMAServerSQLiteTests",
            dependencies: [
                "IRMAServer", "IRMAServerContracts", "IRMAServerSQLite",
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .product(name: "SQLiteTesting", package: "TestSupport", condition: .when(traits: ["SQLite"])),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "IRMAPostgreSQLTests",
            dependencies: [
                "IRMAPostgreSQL", "IRMAServer", "IRMAServerContracts", "IRMAServerPostgreSQL", "KeyshareServer",
                "KeyshareServerContracts", "KeyshareServerPostgreSQL",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "CredentialServing", package: "CredentialServing"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "IRMAClientTests",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "IRMAClient", "IRMAMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "CredentialWallet", package: "CredentialWallet"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "IRMAClientStorageTests",
            dependencies: [
                "IRMAClient", "IRMAMessages",
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "CredentialWallet", package: "CredentialWallet"),
                .product(name: "CredentialWalletSQLite", package: "CredentialWallet"),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .product(name: "SQLiteTesting", package: "TestSupport", condition: .when(traits: ["SQLite"])),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "KeyshareServer",
            dependencies: [
                "IRMAMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "CredentialServing", package: "CredentialServing"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "KeyshareServerSQLite",
            dependencies: [
                "KeyshareServer",
                .product(name: "SQLiteFiles", package: "CredentialTransport"),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "KeyshareServerPostgreSQL",
            dependencies: [
                "KeyshareServer", "IRMAPostgreSQL",
                .product(name: "CredentialServing", package: "CredentialServing"),
            ],
            swiftSettings: .house
        ),
        // The contract that every store of accounts must keep, as tests call it. No product.
        .target(
            name: "KeyshareServerContracts",
            dependencies: ["KeyshareServer"],
            swiftSettings: .house
        ),
        .testTarget(
            name: "KeyshareServerTests",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "KeyshareServer", "KeyshareServerContracts", "IRMAMessages",
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "CredentialServing", package: "CredentialServing"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "KeyshareServerSQLiteTests",
            dependencies: [
                "KeyshareServer", "KeyshareServerContracts", "KeyshareServerSQLite",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "MyIRMAServer",
            dependencies: [
                "KeyshareServer", "IRMAMessages",
                .product(name: "VerificationCore", package: "VerificationCore"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "CredentialServing", package: "CredentialServing"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "MyIRMAServerTests",
            dependencies: [
                "MyIRMAServer", "KeyshareServer", "IRMAMessages",
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "CredentialServing", package: "CredentialServing"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
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
    static var sqliteAsHere: Self { [.trait(name: "SQLite", condition: .when(traits: ["SQLite"]))] }
    static var openSSLAndSQLiteAsHere: Self { openSSLAsHere.union(sqliteAsHere) }
}
