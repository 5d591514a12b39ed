// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    // Each layer as a separate package: a target that reaches for a layer's internals does not build here.
    dependencies: [
        .package(path: "../../Packages/SwiftCBOR-local"),
        .package(path: "../../Packages/JSONKit"),
        .package(path: "../../Packages/CryptoCore"),
        .package(path: "../../Packages/COSEKit"),
        .package(path: "../../Packages/JOSEKit"),
        .package(path: "../../Packages/CredentialTransport"),
        .package(path: "../../Packages/CredentialServing"),
        .package(path: "../../Packages/StatusListKit"),
        .package(path: "../../Packages/DIDKit"),
        .package(path: "../../Packages/SDJWTKit"),
        .package(path: "../../Packages/LinkedDataKit"),
        .package(path: "../../Packages/MdocKit"),
        .package(path: "../../Packages/IdemixCore"),
        .package(path: "../../Packages/OID4VPKit"),
        .package(path: "../../Packages/IRMAProtocol"),
        .package(path: "../TestSupport"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
    ],
    targets: [
        .systemLibrary(name: "CLibFuzzer"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                .product(name: "CredentialTesting", package: "CryptoCore"),
                .product(name: "TestSupport", package: "TestSupport"),
                .product(name: "CBORKit", package: "SwiftCBOR-local"),
                .product(name: "JSONKit", package: "JSONKit"),
                .product(name: "CryptoCore", package: "CryptoCore"),
                .product(name: "COSEKit", package: "COSEKit"),
                .product(name: "JOSEKit", package: "JOSEKit"),
                .product(name: "CredentialTransport", package: "CredentialTransport"),
                .product(name: "CredentialServing", package: "CredentialServing"),
                .product(name: "StatusListKit", package: "StatusListKit"),
                .product(name: "DIDKit", package: "DIDKit"),
                .product(name: "SDJWTKit", package: "SDJWTKit"),
                .product(name: "LinkedDataKit", package: "LinkedDataKit"),
                .product(name: "MdocKit", package: "MdocKit"),
                .product(name: "MdocElements", package: "MdocKit"),
                .product(name: "MdocProximity", package: "MdocKit"),
                .product(name: "MdocTrust", package: "MdocKit"),
                .product(name: "MdocResults", package: "MdocKit"),
                .product(name: "IdemixCore", package: "IdemixCore"),
                .product(name: "OpenIDFederation", package: "OID4VPKit"),
                .product(name: "OID4VPMessages", package: "OID4VPKit"),
                .product(name: "OID4VPKit", package: "OID4VPKit"),
                .product(name: "OID4VPVerifier", package: "OID4VPKit"),
                .product(name: "IRMAMessages", package: "IRMAProtocol"),
                .product(name: "IRMAServer", package: "IRMAProtocol"),
                .product(name: "IRMAClient", package: "IRMAProtocol"),
                .product(name: "KeyshareServer", package: "IRMAProtocol"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: .house
        ),
        .executableTarget(
            name: "Fuzz",
            dependencies: ["CLibFuzzer", "FuzzTargets"],
            swiftSettings: .house,
            // gold, the toolchain's default on Debian, cannot link the fuzzer's runtime.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
        ),
        .executableTarget(
            name: "Mutations",
            dependencies: [
                "FuzzTargets",
                .product(name: "TestSupport", package: "TestSupport"),
                .product(name: "JSONKit", package: "JSONKit"),
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
