// swift-tools-version: 6.2

import PackageDescription

// On Apple platforms libcrypto is used only where a package chooses the trait: `traits: ["OpenSSL"]`.
#if os(Linux)
let defaultTraits: Set<String> = ["OpenSSL"]
#else
let defaultTraits: Set<String> = []
#endif

let package = Package(
    name: "IdemixCore",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "IdemixCore", targets: ["IdemixCore"]),
        .library(name: "IdemixKeyProofs", targets: ["IdemixKeyProofs"]),
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
        .package(path: "../JSONKit"),
        .package(path: "../CryptoCore", traits: .openSSLAsHere),
        .package(path: "../../Tests/TestSupport"),
    ],
    targets: [
        // Not named after the library: other packages in a user's build may bring a target `CGMP`.
        .systemLibrary(
            name: "CIdemixCoreGMP",
            pkgConfig: "gmp",
            providers: [.apt(["libgmp-dev"]), .brew(["gmp"])]
        ),
        .target(
            name: "IdemixCore",
            dependencies: [
                .product(name: "VerificationCore", package: "VerificationCore"),
                "CIdemixCoreGMP",
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
            ],
            swiftSettings: .houseMemorySafe
        ),
        .target(
            name: "IdemixKeyProofs",
            dependencies: [
                .product(name: "VerificationCore", package: "VerificationCore"),
                "IdemixCore",
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
            ],
            swiftSettings: .houseMemorySafe
        ),
        // Not a product: scripts/check-constant-time counts its instructions, scripts/bench --timing takes its time.
        .executableTarget(
            name: "IdemixTiming",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "IdemixCore",
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "IdemixCoreTests",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "IdemixCore",
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "TestSupport", package: "TestSupport"),
            ],
            swiftSettings: .house
        ),
        .testTarget(
            name: "IdemixKeyProofsTests",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                "IdemixCore", "IdemixKeyProofs",
                .product(name: "CryptoCore", package: "CryptoCore"),
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
