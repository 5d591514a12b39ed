// swift-tools-version: 6.2

import PackageDescription

// On Apple platforms libcrypto is used only where a package chooses the trait: `traits: ["OpenSSL"]`.
#if os(Linux)
let defaultTraits: Set<String> = ["OpenSSL"]
#else
let defaultTraits: Set<String> = []
#endif

// Every layer's targets stand here with their path: a root that depends on the layers by path cannot be used by URL.
// The layers' own manifests say the same; scripts/check-manifests compares them.
let package = Package(
    name: "swift-credentials",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "Credentials", targets: ["Credentials"]),
        .library(name: "VerificationCore", targets: ["VerificationCore"]),
        .library(name: "CBORKit", targets: ["CBORKit"]),
        .library(name: "JSONKit", targets: ["JSONKit"]),
        .library(name: "CryptoCore", targets: ["CryptoCore"]),
        .library(name: "CredentialTesting", targets: ["CredentialTesting"]),
        .library(name: "COSEKit", targets: ["COSEKit"]),
        .library(name: "MdocKit", targets: ["MdocKit"]),
        .library(name: "MdocElements", targets: ["MdocElements"]),
        .library(name: "MdocProximity", targets: ["MdocProximity"]),
        .library(name: "MdocTrust", targets: ["MdocTrust"]),
        .library(name: "MdocResults", targets: ["MdocResults"]),
        .library(name: "MdocWallet", targets: ["MdocWallet"]),
        .library(name: "IdemixCore", targets: ["IdemixCore"]),
        .library(name: "IdemixKeyProofs", targets: ["IdemixKeyProofs"]),
        .library(name: "CredentialWallet", targets: ["CredentialWallet"]),
        .library(name: "CredentialWalletSQLite", targets: ["CredentialWalletSQLite"]),
        .library(name: "ProtectedFiles", targets: ["ProtectedFiles"]),
        .library(name: "CredentialTransport", targets: ["CredentialTransport"]),
        .library(name: "SQLiteFiles", targets: ["SQLiteFiles"]),
        .library(name: "CredentialServing", targets: ["CredentialServing"]),
        .library(name: "CredentialServingHummingbird", targets: ["CredentialServingHummingbird"]),
        .library(name: "CredentialServingOperations", targets: ["CredentialServingOperations"]),
        .library(name: "CredentialServingSQLite", targets: ["CredentialServingSQLite"]),
        .library(name: "CredentialServingRedis", targets: ["CredentialServingRedis"]),
        .library(name: "JOSEKit", targets: ["JOSEKit"]),
        .library(name: "StatusListKit", targets: ["StatusListKit"]),
        .library(name: "DIDKit", targets: ["DIDKit"]),
        .library(name: "SDJWTKit", targets: ["SDJWTKit"]),
        .library(name: "SDJWTWallet", targets: ["SDJWTWallet"]),
        .library(name: "LinkedDataKit", targets: ["LinkedDataKit"]),
        .library(name: "OpenIDFederation", targets: ["OpenIDFederation"]),
        .library(name: "OID4VPMessages", targets: ["OID4VPMessages"]),
        .library(name: "OID4VPKit", targets: ["OID4VPKit"]),
        .library(name: "OID4VPVerifier", targets: ["OID4VPVerifier"]),
        .library(name: "OID4VPFacade", targets: ["OID4VPFacade"]),
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
        .trait(
            name: "OpenSSL",
            description: "Uses libcrypto for the algorithms that swift-crypto lacks. On by default on Linux alone."
        ),
        .trait(name: "Client", description: "Brings the HTTP client over async-http-client."),
        .trait(name: "Server", description: "Brings the HTTP server over Hummingbird, and what runs a service."),
        .trait(name: "SQLite", description: "Brings stores in an SQLite file, over GRDB."),
        .trait(name: "Redis", description: "Brings stores in Redis, over hiredis and swift-nio."),
        .trait(name: "PostgreSQL", description: "Brings stores in PostgreSQL, over libpq."),
        .trait(name: "SMTP", description: "Lets the command irma send e-mail, over libcurl; no product needs it."),
        .default(enabledTraits: defaultTraits),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.10.0"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.86.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.29.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.38.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.20.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.9.0"),
        .package(
            url: "https://github.com/apple/swift-configuration.git",
            from: "1.0.0",
            traits: ["JSON", "YAML", "CommandLineArguments"]
        ),
        .package(url: "https://github.com/LebJe/TOMLKit.git", from: "0.6.0"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.0.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.8.0"),
        // Only for the executable, which is no product: packages that depend on this one do not fetch it.
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
    ],
    targets: [
        .target(
            name: "Credentials",
            dependencies: [
                "VerificationCore",
                "CBORKit", "JSONKit", "CryptoCore", "COSEKit", "MdocKit", "MdocElements", "MdocProximity", "MdocTrust",
                "MdocResults", "MdocWallet", "IdemixCore", "CredentialTransport", "CredentialWallet",
                "CredentialServing", "JOSEKit", "StatusListKit", "DIDKit", "SDJWTKit", "SDJWTWallet", "LinkedDataKit",
                "OpenIDFederation", "OID4VPMessages", "OID4VPKit", "IRMAMessages",
            ],
            swiftSettings: .house
        ),

        // VerificationCore
        .target(
            name: "VerificationCore",
            path: "Packages/VerificationCore/Sources/VerificationCore",
            swiftSettings: .houseMemorySafe
        ),
        .testTarget(
            name: "VerificationCoreTests",
            dependencies: ["VerificationCore"],
            path: "Packages/VerificationCore/Tests/VerificationCoreTests",
            swiftSettings: .house
        ),

        // SwiftCBOR-local
        .target(
            name: "CBORKit",
            path: "Packages/SwiftCBOR-local/Sources/CBORKit",
            swiftSettings: .houseMemorySafe
        ),
        .testTarget(
            name: "CBORKitTests",
            dependencies: ["CBORKit", "TestSupport"],
            path: "Packages/SwiftCBOR-local/Tests/CBORKitTests",
            swiftSettings: .house
        ),

        // JSONKit
        .target(name: "CJSONKitBytes", path: "Packages/JSONKit/Sources/CJSONKitBytes"),
        .target(
            name: "JSONKit",
            dependencies: ["CJSONKitBytes"],
            path: "Packages/JSONKit/Sources/JSONKit",
            swiftSettings: .houseMemorySafe
        ),
        .testTarget(
            name: "JSONKitTests",
            dependencies: ["JSONKit", "TestSupport"],
            path: "Packages/JSONKit/Tests/JSONKitTests",
            swiftSettings: .house
        ),

        // CryptoCore
        .systemLibrary(
            name: "CCryptoCoreOpenSSL",
            path: "Packages/CryptoCore/Sources/CCryptoCoreOpenSSL"
        ),
        .target(
            name: "CryptoCore",
            dependencies: [
                "VerificationCore",
                .target(name: "CCryptoCoreOpenSSL", condition: .when(traits: ["OpenSSL"])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Packages/CryptoCore/Sources/CryptoCore",
            swiftSettings: .houseMemorySafe
        ),
        // For tests, also those of apps.
        .target(
            name: "CredentialTesting",
            dependencies: ["CryptoCore"],
            path: "Packages/CryptoCore/Sources/CredentialTesting",
            swiftSettings: .houseMemorySafe
        ),
        .testTarget(
            name: "CryptoCoreTests",
            dependencies: [
                "CredentialTesting",
                "CryptoCore",
                .target(name: "CCryptoCoreOpenSSL", condition: .when(traits: ["OpenSSL"])),
                "TestSupport",
                // Only the tests use these: as a second opinion on certificates and paths.
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            path: "Packages/CryptoCore/Tests/CryptoCoreTests",
            swiftSettings: .house
        ),

        // COSEKit
        .target(
            name: "COSEKit",
            dependencies: ["VerificationCore", "CBORKit", "CryptoCore"],
            path: "Packages/COSEKit/Sources/COSEKit",
            swiftSettings: .house
        ),
        .testTarget(
            name: "COSEKitTests",
            dependencies: ["CredentialTesting", "COSEKit", "TestSupport"],
            path: "Packages/COSEKit/Tests/COSEKitTests",
            swiftSettings: .house
        ),

        // CredentialWallet
        .target(
            name: "ProtectedFiles",
            dependencies: ["CryptoCore"],
            path: "Packages/CredentialWallet/Sources/ProtectedFiles",
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "CredentialWallet",
            dependencies: ["ProtectedFiles", "VerificationCore", "CBORKit", "CryptoCore"],
            path: "Packages/CredentialWallet/Sources/CredentialWallet",
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "CredentialWalletSQLite",
            dependencies: [
                "CredentialWallet", "CryptoCore", "SQLiteFiles",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            path: "Packages/CredentialWallet/Sources/CredentialWalletSQLite",
            swiftSettings: .house
        ),
        .target(
            name: "CredentialWalletContracts",
            dependencies: ["CredentialWallet", "CryptoCore"],
            path: "Packages/CredentialWallet/Sources/CredentialWalletContracts",
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialWalletTests",
            dependencies: [
                "ProtectedFiles", "CredentialWallet", "CredentialWalletContracts", "CredentialWalletSQLite",
                "CryptoCore",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .target(name: "SQLiteTesting", condition: .when(traits: ["SQLite"])),
            ],
            path: "Packages/CredentialWallet/Tests/CredentialWalletTests",
            swiftSettings: .house
        ),

        // MdocKit
        .target(
            name: "MdocKit",
            dependencies: [
                "VerificationCore",
                "CBORKit", "JSONKit", "CryptoCore", "COSEKit", "JOSEKit", "StatusListKit", "CredentialTransport",
            ],
            path: "Packages/MdocKit/Sources/MdocKit",
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "MdocElements",
            dependencies: [
                "MdocKit", "VerificationCore", "CBORKit", "CryptoCore", "JSONKit",
            ],
            path: "Packages/MdocKit/Sources/MdocElements",
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "MdocProximity",
            dependencies: [
                "MdocKit", "VerificationCore", "CBORKit", "CryptoCore", "COSEKit", "JSONKit", "CredentialTransport",
            ],
            path: "Packages/MdocKit/Sources/MdocProximity",
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "MdocTrust",
            dependencies: [
                "MdocKit", "VerificationCore", "CBORKit", "CryptoCore", "COSEKit", "CredentialTransport",
                "ProtectedFiles",
            ],
            path: "Packages/MdocKit/Sources/MdocTrust",
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "MdocResults",
            dependencies: [
                "MdocKit", "MdocElements", "MdocProximity", "VerificationCore", "CBORKit", "CryptoCore", "COSEKit",
                "JSONKit", "CredentialTransport",
            ],
            path: "Packages/MdocKit/Sources/MdocResults",
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "MdocWallet",
            dependencies: ["MdocKit", "CredentialWallet", "CryptoCore"],
            path: "Packages/MdocKit/Sources/MdocWallet",
            swiftSettings: .houseMemorySafe
        ),
        .testTarget(
            name: "MdocWalletTests",
            dependencies: [
                "MdocKit", "MdocWallet", "CBORKit", "CredentialTesting", "CredentialWallet", "CryptoCore",
            ],
            path: "Packages/MdocKit/Tests/MdocWalletTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "MdocKitTests",
            dependencies: [
                "CredentialTesting",
                "MdocKit", "MdocElements", "MdocProximity", "MdocTrust", "MdocResults",
                "CBORKit", "JSONKit", "CryptoCore", "COSEKit", "JOSEKit", "StatusListKit",
                "CredentialTransport", "TestSupport",
            ],
            path: "Packages/MdocKit/Tests/MdocKitTests",
            swiftSettings: .house
        ),

        // IdemixCore
        .systemLibrary(
            name: "CIdemixCoreGMP",
            path: "Packages/IdemixCore/Sources/CIdemixCoreGMP",
            pkgConfig: "gmp",
            providers: [.apt(["libgmp-dev"]), .brew(["gmp"])]
        ),
        .target(
            name: "IdemixCore",
            dependencies: ["VerificationCore", "CIdemixCoreGMP", "CBORKit", "JSONKit", "CryptoCore"],
            path: "Packages/IdemixCore/Sources/IdemixCore",
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "IdemixKeyProofs",
            dependencies: ["VerificationCore", "IdemixCore", "JSONKit", "CryptoCore"],
            path: "Packages/IdemixCore/Sources/IdemixKeyProofs",
            swiftSettings: .houseMemorySafe
        ),
        .executableTarget(
            name: "IdemixTiming",
            dependencies: ["CredentialTesting", "IdemixCore", "CryptoCore", "TestSupport"],
            path: "Packages/IdemixCore/Sources/IdemixTiming",
            swiftSettings: .house
        ),
        .testTarget(
            name: "IdemixCoreTests",
            dependencies: ["CredentialTesting", "IdemixCore", "CBORKit", "JSONKit", "CryptoCore", "TestSupport"],
            path: "Packages/IdemixCore/Tests/IdemixCoreTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "IdemixKeyProofsTests",
            dependencies: ["CredentialTesting", "IdemixCore", "IdemixKeyProofs", "CryptoCore", "TestSupport"],
            path: "Packages/IdemixCore/Tests/IdemixKeyProofsTests",
            swiftSettings: .house
        ),

        // CredentialTransport
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
            path: "Packages/CredentialTransport/Sources/CredentialTransport",
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "SQLiteFiles",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"]))
            ],
            path: "Packages/CredentialTransport/Sources/SQLiteFiles",
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
                "TestSupport",
            ],
            path: "Packages/CredentialTransport/Tests/CredentialTransportTests",
            swiftSettings: .house
        ),

        // CredentialServing
        .target(
            name: "CredentialServing",
            dependencies: [
                "CredentialTransport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Packages/CredentialServing/Sources/CredentialServing",
            swiftSettings: .house
        ),
        .target(
            name: "CredentialServingHummingbird",
            dependencies: [
                "CredentialServing",
                "CredentialTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(name: "HummingbirdHTTP2", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: .when(traits: ["Server"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Server"])),
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Server"])
                ),
            ],
            path: "Packages/CredentialServing/Sources/CredentialServingHummingbird",
            swiftSettings: .house
        ),
        .target(
            name: "CredentialServingOperations",
            dependencies: [
                "CredentialServing",
                .target(name: "JSONKit", condition: .when(traits: ["Server"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
                .product(
                    name: "Tracing",
                    package: "swift-distributed-tracing",
                    condition: .when(traits: ["Server"])
                ),
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Server"])
                ),
                .product(
                    name: "UnixSignals",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Server"])
                ),
                .product(
                    name: "Configuration",
                    package: "swift-configuration",
                    condition: .when(traits: ["Server"])
                ),
                .product(name: "TOMLKit", package: "TOMLKit", condition: .when(traits: ["Server"])),
                .product(name: "Yams", package: "Yams", condition: .when(traits: ["Server"])),
            ],
            path: "Packages/CredentialServing/Sources/CredentialServingOperations",
            swiftSettings: .house
        ),
        .target(
            name: "CredentialServingSQLite",
            dependencies: [
                "CredentialServing",
                "SQLiteFiles",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            path: "Packages/CredentialServing/Sources/CredentialServingSQLite",
            swiftSettings: .house
        ),
        .systemLibrary(
            name: "CCredentialServingHiredis",
            path: "Packages/CredentialServing/Sources/CCredentialServingHiredis",
            providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]
        ),
        .target(
            name: "CredentialServingRedis",
            dependencies: [
                "CredentialServing",
                .target(name: "CCredentialServingHiredis", condition: .when(traits: ["Redis"])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Redis"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Redis"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Redis"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Redis"])),
            ],
            path: "Packages/CredentialServing/Sources/CredentialServingRedis",
            swiftSettings: .houseMemorySafe
        ),
        // The contracts that every server and every store must keep, as tests call them. No product.
        .target(
            name: "ServingContracts",
            dependencies: [
                "CredentialServing",
                "CredentialTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                "TestSupport",
            ],
            path: "Packages/CredentialServing/Sources/ServingContracts",
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialServingTests",
            dependencies: [
                "CredentialServing", "ServingContracts",
                "CredentialTransport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                "TestSupport",
            ],
            path: "Packages/CredentialServing/Tests/CredentialServingTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialServingHummingbirdTests",
            dependencies: [
                "CredentialServing", "CredentialServingHummingbird", "CredentialServingOperations", "ServingContracts",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Server"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: .when(traits: ["Server"])),
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Server"])
                ),
                "TestSupport",
            ],
            path: "Packages/CredentialServing/Tests/CredentialServingHummingbirdTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialServingOperationsTests",
            dependencies: [
                "CredentialServing", "CredentialServingOperations",
                .target(name: "JSONKit", condition: .when(traits: ["Server"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
                .product(
                    name: "Tracing",
                    package: "swift-distributed-tracing",
                    condition: .when(traits: ["Server"])
                ),
                .product(
                    name: "InMemoryTracing",
                    package: "swift-distributed-tracing",
                    condition: .when(traits: ["Server"])
                ),
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Server"])
                ),
                .product(
                    name: "Configuration",
                    package: "swift-configuration",
                    condition: .when(traits: ["Server"])
                ),
                "TestSupport",
            ],
            path: "Packages/CredentialServing/Tests/CredentialServingOperationsTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialServingSQLiteTests",
            dependencies: [
                "CredentialServing", "CredentialServingSQLite", "ServingContracts",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .target(name: "SQLiteTesting", condition: .when(traits: ["SQLite"])),
                "TestSupport",
            ],
            path: "Packages/CredentialServing/Tests/CredentialServingSQLiteTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialServingRedisTests",
            dependencies: [
                "CredentialServing", "CredentialServingHummingbird", "CredentialServingRedis", "ServingContracts",
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Redis"])),
                .product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["Redis"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Redis"])),
                "TestSupport",
            ],
            path: "Packages/CredentialServing/Tests/CredentialServingRedisTests",
            swiftSettings: .house
        ),

        // JOSEKit
        .systemLibrary(
            name: "CJOSEKitZlib",
            path: "Packages/JOSEKit/Sources/CJOSEKitZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        .target(name: "CJOSEKitBase64URL", path: "Packages/JOSEKit/Sources/CJOSEKitBase64URL"),
        .target(
            name: "JOSEKit",
            dependencies: ["VerificationCore", "CJOSEKitBase64URL", "CJOSEKitZlib", "JSONKit", "CryptoCore"],
            path: "Packages/JOSEKit/Sources/JOSEKit",
            swiftSettings: .houseMemorySafe
        ),
        .testTarget(
            name: "JOSEKitTests",
            dependencies: ["CredentialTesting", "JOSEKit", "JSONKit", "CryptoCore", "TestSupport"],
            path: "Packages/JOSEKit/Tests/JOSEKitTests",
            swiftSettings: .house
        ),

        // StatusListKit
        .target(
            name: "StatusListKit",
            dependencies: [
                "VerificationCore", "CBORKit", "JSONKit", "CryptoCore", "COSEKit", "JOSEKit", "CredentialTransport",
            ],
            path: "Packages/StatusListKit/Sources/StatusListKit",
            swiftSettings: .house
        ),
        .testTarget(
            name: "StatusListKitTests",
            dependencies: [
                "StatusListKit", "CBORKit", "JSONKit", "CryptoCore", "COSEKit", "JOSEKit", "CredentialTransport",
                "TestSupport",
            ],
            path: "Packages/StatusListKit/Tests/StatusListKitTests",
            swiftSettings: .house
        ),

        // DIDKit
        .target(
            name: "DIDKit",
            dependencies: ["VerificationCore", "JSONKit", "CryptoCore", "JOSEKit", "CredentialTransport"],
            path: "Packages/DIDKit/Sources/DIDKit",
            swiftSettings: .house
        ),
        .testTarget(
            name: "DIDKitTests",
            dependencies: ["DIDKit", "JSONKit", "CryptoCore", "JOSEKit", "CredentialTransport", "TestSupport"],
            path: "Packages/DIDKit/Tests/DIDKitTests",
            swiftSettings: .house
        ),

        // SDJWTKit
        .target(
            name: "SDJWTKit",
            dependencies: [
                "VerificationCore", "JSONKit", "CryptoCore", "JOSEKit", "StatusListKit", "DIDKit",
                "CredentialTransport",
            ],
            path: "Packages/SDJWTKit/Sources/SDJWTKit",
            swiftSettings: .house
        ),
        .target(
            name: "SDJWTWallet",
            dependencies: ["SDJWTKit", "CredentialWallet", "CryptoCore", "JSONKit", "JOSEKit"],
            path: "Packages/SDJWTKit/Sources/SDJWTWallet",
            swiftSettings: .house
        ),
        .testTarget(
            name: "SDJWTWalletTests",
            dependencies: ["SDJWTKit", "SDJWTWallet", "CredentialWallet", "CryptoCore", "JSONKit", "JOSEKit"],
            path: "Packages/SDJWTKit/Tests/SDJWTWalletTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "SDJWTKitTests",
            dependencies: [
                "CredentialTesting",
                "SDJWTKit", "JSONKit", "CryptoCore", "JOSEKit", "StatusListKit", "DIDKit", "CredentialTransport",
                "TestSupport",
            ],
            path: "Packages/SDJWTKit/Tests/SDJWTKitTests",
            swiftSettings: .house
        ),

        // LinkedDataKit
        .target(
            name: "LinkedDataKit",
            dependencies: [
                "VerificationCore", "CBORKit", "JSONKit", "CryptoCore", "JOSEKit", "StatusListKit", "DIDKit",
                "CredentialTransport",
            ],
            path: "Packages/LinkedDataKit/Sources/LinkedDataKit",
            swiftSettings: .house
        ),
        .testTarget(
            name: "LinkedDataKitTests",
            dependencies: [
                "LinkedDataKit", "VerificationCore", "CBORKit", "JSONKit", "CryptoCore", "JOSEKit", "StatusListKit",
                "DIDKit", "CredentialTransport", "TestSupport",
            ],
            path: "Packages/LinkedDataKit/Tests/LinkedDataKitTests",
            swiftSettings: .house
        ),

        // OID4VPKit
        .target(
            name: "OpenIDFederation",
            dependencies: ["VerificationCore", "JSONKit", "CryptoCore", "JOSEKit", "CredentialTransport"],
            path: "Packages/OID4VPKit/Sources/OpenIDFederation",
            swiftSettings: .house
        ),
        .target(
            name: "OID4VPMessages",
            dependencies: [
                "VerificationCore", "JSONKit", "CryptoCore", "JOSEKit", "SDJWTKit", "CredentialTransport",
            ],
            path: "Packages/OID4VPKit/Sources/OID4VPMessages",
            swiftSettings: .house
        ),
        .target(
            name: "OID4VPKit",
            dependencies: [
                "OpenIDFederation", "OID4VPMessages", "VerificationCore", "JSONKit", "CryptoCore", "JOSEKit", "COSEKit",
                "DIDKit",
                "SDJWTKit", "MdocKit", "MdocElements", "LinkedDataKit", "CredentialTransport",
            ],
            path: "Packages/OID4VPKit/Sources/OID4VPKit",
            swiftSettings: .house
        ),
        .target(
            name: "OID4VPVerifier",
            dependencies: [
                "OpenIDFederation", "OID4VPMessages", "VerificationCore", "CBORKit", "JSONKit", "CryptoCore", "JOSEKit",
                "COSEKit",
                "StatusListKit", "DIDKit", "SDJWTKit", "MdocKit", "MdocElements", "MdocResults", "LinkedDataKit",
                "CredentialTransport",
                "CredentialServing",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Packages/OID4VPKit/Sources/OID4VPVerifier",
            swiftSettings: .house
        ),
        .target(
            name: "OID4VPFacade",
            dependencies: [
                "OID4VPKit", "OID4VPMessages", "VerificationCore", "CBORKit", "JSONKit", "CryptoCore", "JOSEKit",
                "DIDKit", "SDJWTKit", "MdocKit", "LinkedDataKit", "CredentialTransport",
            ],
            path: "Packages/OID4VPKit/Sources/OID4VPFacade",
            swiftSettings: .house
        ),
        // A verifier and a wallet with credentials, as the tests of the layer and those over sockets use them. No product.
        .target(
            name: "OID4VPTesting",
            dependencies: [
                "CredentialTesting",
                "OpenIDFederation", "OID4VPKit", "OID4VPVerifier", "OID4VPMessages", "CBORKit",
                "CryptoCore", "JSONKit", "JOSEKit", "DIDKit",
                "SDJWTKit", "MdocKit", "LinkedDataKit",
            ],
            path: "Packages/OID4VPKit/Sources/OID4VPTesting",
            swiftSettings: .house
        ),
        .testTarget(
            name: "OpenIDFederationTests",
            dependencies: [
                "OID4VPTesting", "OpenIDFederation", "VerificationCore", "JSONKit", "CryptoCore", "JOSEKit",
                "CredentialTransport",
                "TestSupport",
            ],
            path: "Packages/OID4VPKit/Tests/OpenIDFederationTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "OID4VPMessagesTests",
            dependencies: [
                "OID4VPMessages", "VerificationCore", "JSONKit", "CryptoCore", "JOSEKit", "SDJWTKit",
                "CredentialTransport", "TestSupport",
            ],
            path: "Packages/OID4VPKit/Tests/OID4VPMessagesTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "OID4VPKitTests",
            dependencies: [
                "CredentialTesting",
                "OpenIDFederation", "OID4VPKit", "OID4VPMessages", "VerificationCore", "CBORKit", "JSONKit",
                "CryptoCore", "JOSEKit",
                "COSEKit", "DIDKit", "SDJWTKit", "MdocKit", "LinkedDataKit", "CredentialTransport", "TestSupport",
            ],
            path: "Packages/OID4VPKit/Tests/OID4VPKitTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "OID4VPVerifierTests",
            dependencies: [
                "CredentialTesting",
                "OpenIDFederation", "OID4VPVerifier",
                "OID4VPMessages", "VerificationCore", "CBORKit", "JSONKit", "CryptoCore", "JOSEKit", "COSEKit",
                "StatusListKit", "DIDKit", "SDJWTKit", "MdocKit", "MdocResults", "LinkedDataKit", "CredentialTransport",
                "CredentialServing",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Yams", package: "Yams"),
                "TestSupport",
            ],
            path: "Packages/OID4VPKit/Tests/OID4VPVerifierTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "OID4VPEndToEndTests",
            dependencies: [
                "OpenIDFederation", "OID4VPTesting", "OID4VPKit", "OID4VPVerifier", "OID4VPMessages", "JSONKit",
                "CryptoCore",
                "CredentialTesting", "JOSEKit", "SDJWTKit", "MdocKit", "LinkedDataKit", "CredentialTransport",
                "CredentialServing", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Packages/OID4VPKit/Tests/OID4VPEndToEndTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "OID4VPFacadeTests",
            dependencies: [
                "CredentialTesting",
                "OID4VPFacade", "OID4VPKit", "OID4VPMessages", "VerificationCore", "CBORKit", "JSONKit", "CryptoCore",
                "JOSEKit", "DIDKit", "SDJWTKit", "MdocKit", "LinkedDataKit", "CredentialTransport", "TestSupport",
            ],
            path: "Packages/OID4VPKit/Tests/OID4VPFacadeTests",
            swiftSettings: .house
        ),

        // IRMAProtocol
        .target(
            name: "IRMAMessages",
            dependencies: [
                "VerificationCore", "CBORKit", "JSONKit", "CryptoCore", "JOSEKit", "IdemixCore", "CredentialTransport",
            ],
            path: "Packages/IRMAProtocol/Sources/IRMAMessages",
            swiftSettings: .house
        ),
        .testTarget(
            name: "IRMAMessagesTests",
            dependencies: [
                "CredentialTesting",
                "IRMAMessages", "VerificationCore", "JSONKit", "CryptoCore", "JOSEKit", "IdemixCore",
                "CredentialTransport",
                "TestSupport",
            ],
            path: "Packages/IRMAProtocol/Tests/IRMAMessagesTests",
            swiftSettings: .house
        ),
        .target(
            name: "IRMAServer",
            dependencies: [
                "IRMAMessages", "VerificationCore", "CBORKit", "JSONKit", "CryptoCore", "JOSEKit", "IdemixCore",
                "CredentialTransport", "CredentialServing",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Packages/IRMAProtocol/Sources/IRMAServer",
            swiftSettings: .house
        ),
        .target(
            name: "IRMAServerSQLite",
            dependencies: [
                "IRMAServer", "IdemixCore", "SQLiteFiles",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            path: "Packages/IRMAProtocol/Sources/IRMAServerSQLite",
            swiftSettings: .house
        ),
        .systemLibrary(
            name: "CLibPQ",
            path: "Packages/IRMAProtocol/Sources/CLibPQ",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        // The settings and connections of the stores in PostgreSQL.
        .target(
            name: "IRMAPostgreSQL",
            dependencies: [
                "VerificationCore", "CredentialServing",
                .target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Packages/IRMAProtocol/Sources/IRMAPostgreSQL",
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "IRMAServerPostgreSQL",
            dependencies: ["IRMAServer", "IRMAPostgreSQL", "IdemixCore", "CredentialServing"],
            path: "Packages/IRMAProtocol/Sources/IRMAServerPostgreSQL",
            swiftSettings: .house
        ),
        // The contract that all records of a revocation authority must keep, as tests call it. No product.
        .target(
            name: "IRMAServerContracts",
            dependencies: ["IRMAServer", "IdemixCore"],
            path: "Packages/IRMAProtocol/Sources/IRMAServerContracts",
            swiftSettings: .house
        ),
        .testTarget(
            name: "IRMAServerSQLiteTests",
            dependencies: [
                "IRMAServer", "IRMAServerContracts", "IRMAServerSQLite", "IdemixCore",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .target(name: "SQLiteTesting", condition: .when(traits: ["SQLite"])),
                "TestSupport",
            ],
            path: "Packages/IRMAProtocol/Tests/IRMAServerSQLiteTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "IRMAPostgreSQLTests",
            dependencies: [
                "IRMAPostgreSQL", "IRMAServer", "IRMAServerContracts", "IRMAServerPostgreSQL", "KeyshareServer",
                "KeyshareServerContracts", "KeyshareServerPostgreSQL", "VerificationCore", "IdemixCore",
                "CredentialServing", "TestSupport",
            ],
            path: "Packages/IRMAProtocol/Tests/IRMAPostgreSQLTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "IRMAServerTests",
            dependencies: [
                "CredentialTesting",
                "IRMAServer", "IRMAServerContracts", "IRMAMessages", "VerificationCore", "CBORKit", "JSONKit",
                "CryptoCore", "JOSEKit", "IdemixCore",
                "CredentialTransport", "CredentialServing",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                "TestSupport",
            ],
            path: "Packages/IRMAProtocol/Tests/IRMAServerTests",
            swiftSettings: .house
        ),
        .target(
            name: "IRMAClient",
            dependencies: [
                "IRMAMessages", "VerificationCore", "CBORKit", "JSONKit", "CryptoCore", "JOSEKit", "IdemixCore",
                "CredentialTransport", "CredentialWallet",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Packages/IRMAProtocol/Sources/IRMAClient",
            swiftSettings: .house
        ),
        .testTarget(
            name: "IRMAClientTests",
            dependencies: [
                "CredentialTesting",
                "IRMAClient", "IRMAMessages", "VerificationCore", "CBORKit", "JSONKit",
                "CryptoCore", "JOSEKit", "IdemixCore", "CredentialTransport", "CredentialWallet",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                "TestSupport",
            ],
            path: "Packages/IRMAProtocol/Tests/IRMAClientTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "IRMAClientStorageTests",
            dependencies: [
                "IRMAClient", "IRMAMessages", "CryptoCore", "IdemixCore", "CredentialTransport", "CredentialWallet",
                "CredentialWalletSQLite",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .target(name: "SQLiteTesting", condition: .when(traits: ["SQLite"])),
                "TestSupport",
            ],
            path: "Packages/IRMAProtocol/Tests/IRMAClientStorageTests",
            swiftSettings: .house
        ),
        .target(
            name: "KeyshareServer",
            dependencies: [
                "IRMAMessages", "VerificationCore", "CBORKit", "JSONKit", "CryptoCore", "JOSEKit", "IdemixCore",
                "CredentialServing",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Packages/IRMAProtocol/Sources/KeyshareServer",
            swiftSettings: .house
        ),
        .target(
            name: "KeyshareServerSQLite",
            dependencies: [
                "KeyshareServer", "SQLiteFiles",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            path: "Packages/IRMAProtocol/Sources/KeyshareServerSQLite",
            swiftSettings: .house
        ),
        .target(
            name: "KeyshareServerPostgreSQL",
            dependencies: ["KeyshareServer", "IRMAPostgreSQL", "CredentialServing"],
            path: "Packages/IRMAProtocol/Sources/KeyshareServerPostgreSQL",
            swiftSettings: .house
        ),
        // The contract that every store of accounts must keep, as tests call it. No product.
        .target(
            name: "KeyshareServerContracts",
            dependencies: ["KeyshareServer"],
            path: "Packages/IRMAProtocol/Sources/KeyshareServerContracts",
            swiftSettings: .house
        ),
        .testTarget(
            name: "KeyshareServerTests",
            dependencies: [
                "CredentialTesting",
                "KeyshareServer", "KeyshareServerContracts", "IRMAMessages", "JSONKit", "CryptoCore", "JOSEKit",
                "IdemixCore", "CredentialServing",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                "TestSupport",
            ],
            path: "Packages/IRMAProtocol/Tests/KeyshareServerTests",
            swiftSettings: .house
        ),
        .testTarget(
            name: "KeyshareServerSQLiteTests",
            dependencies: [
                "KeyshareServer", "KeyshareServerContracts", "KeyshareServerSQLite",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            path: "Packages/IRMAProtocol/Tests/KeyshareServerSQLiteTests",
            swiftSettings: .house
        ),
        .target(
            name: "MyIRMAServer",
            dependencies: [
                "KeyshareServer", "IRMAMessages", "VerificationCore", "JSONKit", "CryptoCore", "CredentialServing",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Packages/IRMAProtocol/Sources/MyIRMAServer",
            swiftSettings: .house
        ),
        .testTarget(
            name: "MyIRMAServerTests",
            dependencies: [
                "MyIRMAServer", "KeyshareServer", "IRMAMessages", "JSONKit", "CryptoCore", "CredentialServing",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                "TestSupport",
            ],
            path: "Packages/IRMAProtocol/Tests/MyIRMAServerTests",
            swiftSettings: .house
        ),

        // What the servers of the commands share
        .target(
            name: "ServerSupport",
            dependencies: [
                "CommandSupport", "VerificationCore", "CryptoCore", "CredentialServing", "CredentialTransport",
                .target(name: "CredentialServingHummingbird", condition: .when(traits: ["Server"])),
                .target(name: "CredentialServingOperations", condition: .when(traits: ["Server"])),
                .target(name: "CredentialServingSQLite", condition: .when(traits: ["SQLite"])),
                .target(name: "SQLiteFiles", condition: .when(traits: ["SQLite"])),
                .target(name: "CredentialServingRedis", condition: .when(traits: ["Redis"])),
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Server"])),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Server"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Server"])),
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Server"])
                ),
                .product(
                    name: "UnixSignals",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Server"])
                ),
            ],
            swiftSettings: .house
        ),
        // What the commands share
        .target(
            name: "CommandSupport",
            dependencies: [
                "VerificationCore", "CBORKit", "JSONKit", "CryptoCore", "IdemixCore", "CredentialTransport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Client"])),
            ],
            swiftSettings: .house
        ),

        // The command `credential`
        .target(
            name: "CredentialTool",
            dependencies: [
                "CredentialTesting",
                "CommandSupport",
                "CBORKit", "JSONKit", "CryptoCore", "COSEKit", "MdocKit", "MdocElements", "MdocProximity", "MdocTrust",
                "MdocResults", "MdocWallet", "IdemixCore", "CredentialTransport",
                "JOSEKit",
                "StatusListKit", "SDJWTKit", "SDJWTWallet", "DIDKit", "LinkedDataKit", "OpenIDFederation",
                "OID4VPMessages", "OID4VPKit", "OID4VPVerifier",
                .target(name: "ServerSupport", condition: .when(traits: ["Server"])),
                .target(name: "CredentialServing", condition: .when(traits: ["Server"])),
                .target(name: "CredentialServingHummingbird", condition: .when(traits: ["Server"])),
                .target(name: "CredentialServingOperations", condition: .when(traits: ["Server"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
            ],
            swiftSettings: .house
        ),
        .executableTarget(
            name: "credential",
            dependencies: ["CredentialTool", "CommandSupport"],
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialToolTests",
            dependencies: [
                "CredentialTesting",
                "CredentialTool", "CommandSupport", "CommandTesting",
                "CBORKit", "COSEKit", "CredentialTransport", "CryptoCore", "IdemixCore", "JOSEKit",
                "JSONKit",
                "MdocKit", "MdocProximity", "MdocTrust", "SDJWTKit", "StatusListKit", "DIDKit", "LinkedDataKit",
                "OpenIDFederation", "OID4VPMessages", "OID4VPKit", "OID4VPVerifier", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: .house
        ),

        // The command `irma`
        .target(
            name: "IRMATool",
            dependencies: [
                "CommandSupport", "ServerSupport", "QRCodes", "VerificationCore", "JSONKit", "CryptoCore", "JOSEKit",
                "SDJWTKit", "IdemixCore", "IdemixKeyProofs",
                "CredentialTransport", "CredentialServing", "IRMAMessages", "IRMAServer", "IRMAClient",
                "CredentialWalletSQLite", "IRMAServerSQLite", "KeyshareServer", "KeyshareServerSQLite", "MyIRMAServer",
                "SMTPMail",
                .target(name: "IRMAPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "IRMAServerPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "KeyshareServerPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .target(name: "CredentialServingHummingbird", condition: .when(traits: ["Server"])),
                .target(name: "CredentialServingOperations", condition: .when(traits: ["Server"])),
                .target(name: "SQLiteFiles", condition: .when(traits: ["SQLite"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Server"])
                ),
            ],
            swiftSettings: .house
        ),
        // E-mail of the command's keyshare servers.
        .systemLibrary(
            name: "CCurl",
            path: "Sources/CCurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
        .target(
            name: "SMTPMail",
            dependencies: ["KeyshareServer", .target(name: "CCurl", condition: .when(traits: ["SMTP"]))],
            swiftSettings: .houseMemorySafe
        ),
        .testTarget(
            name: "SMTPMailTests",
            dependencies: ["SMTPMail", "KeyshareServer", "MailTesting"],
            swiftSettings: .house
        ),
        // A mail server on this machine for tests.
        .target(
            name: "MailTesting",
            dependencies: [
                "CryptoCore",
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Server"])),
            ],
            path: "Tests/MailTesting",
            swiftSettings: .house
        ),
        // Sources/QRCodes is a package too, which the examples use.
        .systemLibrary(
            name: "CQRCode",
            path: "Sources/QRCodes/Sources/CQRCode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
        ),
        .target(
            name: "QRCodes",
            dependencies: ["CQRCode"],
            path: "Sources/QRCodes/Sources/QRCodes",
            swiftSettings: .houseMemorySafe
        ),
        .testTarget(
            name: "QRCodesTests",
            dependencies: ["QRCodes"],
            path: "Sources/QRCodes/Tests/QRCodesTests",
            swiftSettings: .house
        ),
        .executableTarget(name: "irma", dependencies: ["IRMATool", "CommandSupport"], swiftSettings: .house),
        .testTarget(
            name: "IRMAToolTests",
            dependencies: [
                "IRMATool", "CommandSupport", "CommandTesting", "CredentialServing", "CredentialTransport",
                "CredentialWallet", "CredentialWalletSQLite", "CryptoCore", "IRMAClient", "IRMAMessages", "IRMAServer",
                "IdemixCore", "IdemixKeyProofs", "JOSEKit",
                "JSONKit", "KeyshareServer", "KeyshareServerSQLite", "MailTesting", "SDJWTKit", "ServerSupport",
                "TestSupport",
                // The binary, which tests run as a process of its own.
                "irma",
                .target(name: "CredentialServingHummingbird", condition: .when(traits: ["Server"])),
                .target(name: "CredentialServingOperations", condition: .when(traits: ["Server"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Server"])),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "CommandTesting",
            dependencies: [
                "CommandSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/CommandTesting",
            swiftSettings: .house
        ),

        // Tests
        // Without `@testable` and without `package` access: what it uses is what another program can use.
        .testTarget(
            name: "RemotePartyTests",
            dependencies: [
                "CredentialTesting",
                "CBORKit", "COSEKit", "CredentialTransport", "CryptoCore", "IdemixCore", "JOSEKit", "JSONKit",
                "MdocKit", "MdocProximity", "MdocTrust",
                "SDJWTKit", "StatusListKit", "TestSupport",
            ],
            packageAccess: false,
            swiftSettings: .house
        ),
        // What the tests over sockets of this machine share.
        .target(
            name: "LoopbackTesting",
            dependencies: [
                "CredentialServing", "CredentialServingHummingbird", "CryptoCore",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Server"])),
            ],
            path: "Tests/LoopbackTesting",
            packageAccess: false,
            swiftSettings: .house
        ),
        // This wallet, server and keyshare server with each other, over HTTP.
        .testTarget(
            name: "IRMAEndToEndTests",
            dependencies: [
                "CredentialTesting",
                "CredentialServing", "CredentialServingHummingbird", "CredentialTransport", "CryptoCore", "IRMAClient",
                "IRMAMessages", "IRMAServer", "IdemixCore", "JSONKit", "KeyshareServer", "LoopbackTesting",
                "ServingContracts", "TestSupport",
                .target(name: "CredentialServingRedis", condition: .when(traits: ["Redis"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Yams", package: "Yams", condition: .when(traits: ["Server"])),
            ],
            exclude: ["Frontend"],
            packageAccess: false,
            swiftSettings: .house
        ),
        // A wallet and a verifier of OpenID4VP with each other, over HTTP and TLS.
        .testTarget(
            name: "OID4VPSocketTests",
            dependencies: [
                "CredentialServing", "CredentialServingHummingbird", "CredentialTransport", "CryptoCore", "JSONKit",
                "LoopbackTesting", "OID4VPKit", "OID4VPMessages", "OID4VPTesting", "OID4VPVerifier",
                .target(name: "CredentialServingSQLite", condition: .when(traits: ["SQLite"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            packageAccess: false,
            swiftSettings: .house
        ),
        // The command `credential` and a server that it fetches from, over HTTP.
        .testTarget(
            name: "CredentialToolSocketTests",
            dependencies: [
                "CommandTesting", "CredentialServing", "CredentialServingHummingbird", "CredentialTool",
                "CredentialTransport", "CryptoCore", "JSONKit", "MdocKit", "MdocTrust", "StatusListKit", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: .house
        ),
        // Transactions of OpenID4VP over every store, whose adapters the layer does not know.
        .testTarget(
            name: "OID4VPStoreTests",
            dependencies: [
                "CredentialServing", "CredentialTransport", "CryptoCore", "JOSEKit", "JSONKit", "OID4VPKit",
                "OID4VPMessages", "OID4VPVerifier", "SDJWTKit", "TestSupport",
                .target(name: "CredentialServingSQLite", condition: .when(traits: ["SQLite"])),
                .target(name: "CredentialServingRedis", condition: .when(traits: ["Redis"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            packageAccess: false,
            swiftSettings: .house
        ),
        // The credentials of one wallet in every format, in one storage.
        .testTarget(
            name: "WalletStorageTests",
            dependencies: [
                "CBORKit", "CredentialServing", "CredentialTesting", "CredentialTransport", "CredentialWallet",
                "CredentialWalletSQLite", "CryptoCore", "IRMAClient", "IRMAMessages", "IRMAServer", "IdemixCore",
                "JOSEKit", "JSONKit", "MdocKit", "MdocWallet", "SDJWTKit", "SDJWTWallet",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            packageAccess: false,
            swiftSettings: .house
        ),
        // What holds for every verification of the repository.
        .testTarget(
            name: "VerificationLawTests",
            dependencies: ["CredentialTesting", "Credentials", "OID4VPVerifier", "VerificationCore"],
            packageAccess: false,
            swiftSettings: .house
        ),
        // Tests/Fuzz is their package; here they share the build of the tests.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CredentialTesting",
                "TestSupport", "CBORKit", "JSONKit", "CryptoCore", "COSEKit", "JOSEKit", "CredentialTransport",
                "StatusListKit", "DIDKit", "SDJWTKit", "LinkedDataKit", "MdocKit", "MdocElements", "MdocProximity",
                "MdocTrust", "MdocResults", "IdemixCore", "IRMAMessages", "OpenIDFederation", "OID4VPMessages",
                "CredentialServing",
                "IRMAServer", "IRMAClient", "KeyshareServer", "OID4VPKit", "OID4VPVerifier",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Fuzz/Sources/FuzzTargets",
            swiftSettings: .house
        ),
        .executableTarget(
            name: "Mutations",
            dependencies: ["FuzzTargets", "TestSupport", "JSONKit"],
            path: "Tests/Fuzz/Sources/Mutations",
            swiftSettings: .house
        ),
        .target(
            name: "TestSupport",
            path: "Tests/TestSupport/Sources/TestSupport",
            swiftSettings: .house
        ),
        .systemLibrary(
            name: "CSQLiteTesting",
            path: "Tests/TestSupport/Sources/CSQLiteTesting",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        // For the tests of stores in SQLite; apart, so that no other test links SQLite.
        .target(
            name: "SQLiteTesting",
            dependencies: ["CSQLiteTesting"],
            path: "Tests/TestSupport/Sources/SQLiteTesting",
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
