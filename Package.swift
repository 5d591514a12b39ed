// swift-tools-version: 6.2

import PackageDescription

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
        .library(name: "COSEKit", targets: ["COSEKit"]),
        .library(name: "MdocKit", targets: ["MdocKit"]),
        .library(name: "IdemixCore", targets: ["IdemixCore"]),
        .library(name: "CredentialTransport", targets: ["CredentialTransport"]),
        .library(name: "JOSEKit", targets: ["JOSEKit"]),
        .library(name: "StatusListKit", targets: ["StatusListKit"]),
        .library(name: "DIDKit", targets: ["DIDKit"]),
        .library(name: "SDJWTKit", targets: ["SDJWTKit"]),
        .library(name: "LinkedDataKit", targets: ["LinkedDataKit"]),
    ],
    traits: [
        .trait(
            name: "OpenSSL",
            description: "Uses libcrypto for the algorithms that swift-crypto lacks. Off for platforms without it."
        ),
        .trait(name: "Client", description: "Brings the HTTP client over async-http-client."),
        .default(enabledTraits: ["OpenSSL"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.10.0"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.86.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        // Only for the executable, which is no product: packages that depend on this one do not fetch it.
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
    ],
    targets: [
        .target(
            name: "Credentials",
            dependencies: [
                "VerificationCore",
                "CBORKit", "JSONKit", "CryptoCore", "COSEKit", "MdocKit", "IdemixCore", "CredentialTransport",
                "JOSEKit",
                "StatusListKit", "DIDKit", "SDJWTKit", "LinkedDataKit",
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
        .target(
            name: "JSONKit",
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
            path: "Packages/CryptoCore/Sources/CCryptoCoreOpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
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
        .testTarget(
            name: "CryptoCoreTests",
            dependencies: [
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
            dependencies: ["COSEKit", "TestSupport"],
            path: "Packages/COSEKit/Tests/COSEKitTests",
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
        .testTarget(
            name: "MdocKitTests",
            dependencies: [
                "MdocKit", "CBORKit", "JSONKit", "CryptoCore", "COSEKit", "JOSEKit", "StatusListKit",
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
        .executableTarget(
            name: "IdemixTiming",
            dependencies: ["IdemixCore", "CryptoCore", "TestSupport"],
            path: "Packages/IdemixCore/Sources/IdemixTiming",
            swiftSettings: .house
        ),
        .testTarget(
            name: "IdemixCoreTests",
            dependencies: ["IdemixCore", "CBORKit", "JSONKit", "CryptoCore", "TestSupport"],
            path: "Packages/IdemixCore/Tests/IdemixCoreTests",
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
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Client"])),
            ],
            path: "Packages/CredentialTransport/Sources/CredentialTransport",
            swiftSettings: .houseMemorySafe
        ),
        .testTarget(
            name: "CredentialTransportTests",
            dependencies: [
                "CredentialTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
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

        // JOSEKit
        .systemLibrary(
            name: "CJOSEKitZlib",
            path: "Packages/JOSEKit/Sources/CJOSEKitZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        .target(
            name: "JOSEKit",
            dependencies: ["VerificationCore", "CJOSEKitZlib", "JSONKit", "CryptoCore"],
            path: "Packages/JOSEKit/Sources/JOSEKit",
            swiftSettings: .houseMemorySafe
        ),
        .testTarget(
            name: "JOSEKitTests",
            dependencies: ["JOSEKit", "JSONKit", "CryptoCore", "TestSupport"],
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
        .testTarget(
            name: "SDJWTKitTests",
            dependencies: [
                "SDJWTKit", "JSONKit", "CryptoCore", "JOSEKit", "StatusListKit", "DIDKit", "CredentialTransport",
                "TestSupport",
            ],
            path: "Packages/SDJWTKit/Tests/SDJWTKitTests",
            swiftSettings: .house
        ),

        // LinkedDataKit
        .target(
            name: "LinkedDataKit",
            dependencies: ["VerificationCore", "JSONKit", "CryptoCore"],
            path: "Packages/LinkedDataKit/Sources/LinkedDataKit",
            swiftSettings: .house
        ),
        .testTarget(
            name: "LinkedDataKitTests",
            dependencies: ["LinkedDataKit", "JSONKit", "CryptoCore", "TestSupport"],
            path: "Packages/LinkedDataKit/Tests/LinkedDataKitTests",
            swiftSettings: .house
        ),

        // The command `credential`
        .target(
            name: "CredentialTool",
            dependencies: [
                "CBORKit", "JSONKit", "CryptoCore", "COSEKit", "MdocKit", "IdemixCore", "CredentialTransport",
                "JOSEKit",
                "StatusListKit", "SDJWTKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: .house
        ),
        .executableTarget(name: "credential", dependencies: ["CredentialTool"], swiftSettings: .house),
        .testTarget(
            name: "CredentialToolTests",
            dependencies: [
                "CredentialTool", "CBORKit", "COSEKit", "CredentialTransport", "CryptoCore", "IdemixCore", "JOSEKit",
                "JSONKit",
                "MdocKit", "SDJWTKit", "StatusListKit", "TestSupport",
            ],
            swiftSettings: .house
        ),

        // Tests
        // Without `@testable` and without `package` access: what it uses is what another program can use.
        .testTarget(
            name: "RemotePartyTests",
            dependencies: [
                "CBORKit", "COSEKit", "CredentialTransport", "CryptoCore", "IdemixCore", "JOSEKit", "JSONKit",
                "MdocKit",
                "SDJWTKit", "StatusListKit", "TestSupport",
            ],
            packageAccess: false,
            swiftSettings: .house
        ),
        // What holds for every verification of the repository.
        .testTarget(
            name: "VerificationLawTests",
            dependencies: ["Credentials", "VerificationCore"],
            packageAccess: false,
            swiftSettings: .house
        ),
        // Tests/Fuzz is their package; here they share the build of the tests.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "TestSupport", "CBORKit", "JSONKit", "CryptoCore", "COSEKit", "JOSEKit", "CredentialTransport",
                "StatusListKit", "DIDKit", "SDJWTKit", "MdocKit", "IdemixCore",
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
