// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "OpenID4VPDemo",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "OpenID4VPDemo", targets: ["OpenID4VPDemo"]),
        .library(name: "OpenID4VPParties", targets: ["OpenID4VPParties"]),
    ],
    dependencies: [
        .package(name: "swift-credentials", path: "../.."),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
    ],
    targets: [
        // The issuers, the wallet and the shop's side of the trust, which the example WebDemo uses too.
        .target(
            name: "OpenID4VPParties",
            dependencies: [
                .product(name: "Credentials", package: "swift-credentials"),
                .product(name: "OID4VPVerifier", package: "swift-credentials"),
            ],
            swiftSettings: .house
        ),
        .executableTarget(
            name: "OpenID4VPDemo",
            dependencies: [
                "OpenID4VPParties",
                .product(name: "Credentials", package: "swift-credentials"),
                .product(name: "OID4VPVerifier", package: "swift-credentials"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
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
