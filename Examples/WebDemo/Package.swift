// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "WebDemo",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "WebDemo", targets: ["WebDemo"])],
    dependencies: [
        .package(name: "swift-credentials", path: "../..", traits: [.defaults, "Client", "Server"]),
        .package(path: "../OpenID4VPDemo"),
        .package(path: "../../Sources/QRCodes"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.9.0"),
    ],
    targets: [
        .executableTarget(
            name: "WebDemo",
            dependencies: [
                .product(name: "Credentials", package: "swift-credentials"),
                .product(name: "CredentialServingHummingbird", package: "swift-credentials"),
                .product(name: "IRMAClient", package: "swift-credentials"),
                .product(name: "IRMAServer", package: "swift-credentials"),
                .product(name: "OID4VPVerifier", package: "swift-credentials"),
                .product(name: "OpenID4VPParties", package: "OpenID4VPDemo"),
                .product(name: "QRCodes", package: "QRCodes"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            resources: [.process("Resources")],
            swiftSettings: .house
        )
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
