// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "CredentialServing",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "CredentialServing", targets: ["CredentialServing"]),
        .library(name: "CredentialServingHummingbird", targets: ["CredentialServingHummingbird"]),
        .library(name: "CredentialServingOperations", targets: ["CredentialServingOperations"]),
        .library(name: "CredentialServingSQLite", targets: ["CredentialServingSQLite"]),
        .library(name: "CredentialServingRedis", targets: ["CredentialServingRedis"]),
    ],
    traits: [
        .trait(name: "Server", description: "Brings the HTTP server over Hummingbird, and what runs a service."),
        .trait(name: "SQLite", description: "Brings stores in an SQLite file, over GRDB."),
        .trait(name: "Redis", description: "Brings stores in Redis, over hiredis and swift-nio."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.20.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.86.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.29.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.38.0"),
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
        .package(path: "../CredentialTransport", traits: .sqliteAsHere),
        .package(path: "../JSONKit"),
        .package(path: "../../Tests/TestSupport"),
    ],
    targets: [
        .target(
            name: "CredentialServing",
            dependencies: [
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: .house
        ),
        .target(
            name: "CredentialServingHummingbird",
            dependencies: [
                "CredentialServing",
                .product(name: "CredentialTransport", package: "CredentialTransport"),
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
            swiftSettings: .house
        ),
        .target(
            name: "CredentialServingOperations",
            dependencies: [
                "CredentialServing",
                .product(name: "JSONKit", package: "JSONKit", condition: .when(traits: ["Server"])),
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
            swiftSettings: .house
        ),
        .target(
            name: "CredentialServingSQLite",
            dependencies: [
                "CredentialServing",
                .product(name: "SQLiteFiles", package: "CredentialTransport"),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: .house
        ),
        .systemLibrary(
            name: "CCredentialServingHiredis",
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
            swiftSettings: .houseMemorySafe
        ),
        // The contracts that every server and every store must keep, as tests call them. No product.
        .target(
            name: "ServingContracts",
            dependencies: [
                "CredentialServing",
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialServingTests",
            dependencies: [
                "CredentialServing", "ServingContracts",
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
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
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialServingOperationsTests",
            dependencies: [
                "CredentialServing", "CredentialServingOperations",
                .product(name: "JSONKit", package: "JSONKit", condition: .when(traits: ["Server"])),
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
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialServingSQLiteTests",
            dependencies: [
                "CredentialServing", "CredentialServingSQLite", "ServingContracts",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
                .product(name: "SQLiteTesting", package: "TestSupport", condition: .when(traits: ["SQLite"])),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "CredentialServingRedisTests",
            dependencies: [
                "CredentialServing", "CredentialServingHummingbird", "CredentialServingRedis", "ServingContracts",
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Redis"])),
                .product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["Redis"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Redis"])),
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
    /// The trait of the layer below is on where it is on here.
    static var sqliteAsHere: Self { [.trait(name: "SQLite", condition: .when(traits: ["SQLite"]))] }
}
