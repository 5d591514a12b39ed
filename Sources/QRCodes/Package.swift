// swift-tools-version: 6.2

import PackageDescription

// What the command irma and the examples draw QR codes with. It is no product of the root.
let package = Package(
    name: "QRCodes",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "QRCodes", targets: ["QRCodes"])],
    targets: [
        .systemLibrary(
            name: "CQRCode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
        ),
        .target(name: "QRCodes", dependencies: ["CQRCode"], swiftSettings: .houseMemorySafe),
        .testTarget(name: "QRCodesTests", dependencies: ["QRCodes"], swiftSettings: .house),
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
