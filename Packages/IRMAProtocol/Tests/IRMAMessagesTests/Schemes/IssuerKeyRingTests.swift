import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import TestSupport
import Testing

/// Private keys of issuers, found in folders and matched with the schemes.
@Suite struct IssuerKeyRingTests {
    private let scene: Scene
    private let xml: Data

    init() throws {
        scene = try Scene.shared.get()
        xml = try scene.keys.privateKey.xml().withUnsafeBytes { Data($0) }
    }

    private func ring(_ files: [String: Data], schemes: SchemeSnapshot? = nil) throws -> IssuerKeyRing {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)
        defer { try? FileManager.default.removeItem(at: url) }
        for (name, bytes) in files {
            let file = url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try bytes.write(to: file)
        }
        var ring = IssuerKeyRing()
        if files.keys.contains(where: { $0.contains("/") }) {
            try ring.add(schemesFolder: url, schemes: schemes ?? scene.schemes)
        } else {
            try ring.add(folder: url, schemes: schemes ?? scene.schemes)
        }
        return ring
    }

    @Test(arguments: ["demo.bank.xml", "demo.bank.3.xml", "demo/bank/PrivateKeys/3.xml"])
    func keysAreFoundByTheirNames(name: String) throws {
        let ring = try ring([name: xml])
        #expect(ring.issuers == ["demo.bank"])
        #expect(ring.newest(of: "demo.bank")?.publicKey == scene.keys.publicKey)
        #expect(ring.keyPair(of: "demo.bank", counter: 3) != nil && ring.keyPair(of: "demo.bank", counter: 2) == nil)
    }

    @Test func otherFilesAreRefusedOrPassedOver() throws {
        #expect(try ring(["README.md": Data(), ".demo.bank.xml": Data(), "demo.bank.xml": xml]).issuers.count == 1)
        for name in ["bank.xml", "demo.bank.x.xml", "demo.bank.3.4.xml"] {
            expectRefusal(.invalidPath, at: name) { try ring([name: xml]) }
        }
        expectRefusal(.invalidPath) { try ring(["demo/bank/PrivateKeys/x.xml": xml]) }
        expectRefusal(.invalidScheme) { try ring(["demo.bank.2.xml": xml]) }
        expectRefusal(.invalidScheme) { try ring(["demo.bank.xml": Data("<a/>".utf8)]) }
        expectRefusal(.limitExceeded) { try ring(["demo.bank.xml": Data(count: IssuerKeyRing.maximumFileSize + 1)]) }
        var empty = IssuerKeyRing()
        let nowhere = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        expectRefusal(.storageFailed) { try empty.add(folder: nowhere, schemes: scene.schemes) }
    }

    @Test func keysOfOtherIssuersAreRefused() throws {
        expectRefusal(.unknownKey) { try ring(["demo.other.xml": xml]) }
        let schemes = try SchemeSnapshot([Scene.scheme(publicKeys: [])])
        expectRefusal(.unknownKey) { try ring(["demo.bank.xml": xml], schemes: schemes) }
        let other = try IdemixIssuerKeyPair.generate(.bits1024, counter: 3, expiryDate: .distantFuture, baseCount: 6)
        let foreign = try SchemeSnapshot([Scene.scheme(publicKeys: [other.publicKey])])
        expectRefusal(.invalidScheme) { try ring(["demo.bank.xml": xml], schemes: foreign) }
    }

    @Test(.enabled(if: VectorSet("irma").isAvailable, VectorSet.absence))
    func recordedKeysAreFound() async throws {
        let schemes = try await Recorded.schemes()
        let root = try #require(Recorded.set.url)
        var ring = IssuerKeyRing()
        try ring.add(schemesFolder: root.appendingPathComponent("irma_configuration"), schemes: schemes)
        let inSchemes = ring.issuers
        try ring.add(folder: root.appendingPathComponent("privatekeys"), schemes: schemes)
        #expect(!inSchemes.isEmpty && ring.issuers.count > inSchemes.count)
        #expect(ring.newest(of: "test.test")?.publicKey.counter == 4)
    }
}
