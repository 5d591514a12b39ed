// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "ProximityDemo",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "ProximityDemo", targets: ["ProximityDemo"])],
    dependencies: [
        .package(name: "swift-credentials", path: "../.."),
        .package(path: "../../Sources/QRCodes"),
    ],
    targets: [
        .executableTarget(
            name: "ProximityDemo",
            dependencies: [
                .product(name: "CredentialTesting", package: "swift-credentials"),
                .product(name: "Credentials", package: "swift-credentials"),
                .product(name: "QRCodes", package: "QRCodes"),
            ],
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
