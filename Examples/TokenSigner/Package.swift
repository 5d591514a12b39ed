// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "TokenSigner",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "TokenSigner", targets: ["TokenSigner"])],
    dependencies: [
        .package(name: "swift-credentials", path: "../..")
    ],
    targets: [
        // The header of PKCS #11 alone; the token's library is loaded at run time.
        .systemLibrary(
            name: "CPKCS11",
            pkgConfig: "p11-kit-1",
            providers: [.apt(["libp11-kit-dev"]), .brew(["p11-kit"])]
        ),
        .executableTarget(
            name: "TokenSigner",
            dependencies: ["CPKCS11", .product(name: "Credentials", package: "swift-credentials")],
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
}
