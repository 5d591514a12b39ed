import CryptoCore
import JSONKit
import OID4VPKit
import OID4VPMessages
import Testing

/// The holder's keys are looked up when they are needed.
struct KeyLookupTests {
    private static let query = PresentationScene.dcql(
        ["id": "a", "format": "mso_mdoc", "meta": ["doctype_value": "org.iso.18013.5.1.mDL"]],
        ["id": "b", "format": "dc+sd-jwt", "meta": [:]]
    )

    private struct Locked: Error {}

    /// A key that is there, and does not sign.
    private struct LockedKey: Signer {
        let publicKey: PublicKey
        let algorithm: SignatureAlgorithm

        func signature(for message: [UInt8]) async throws -> [UInt8] { throw Locked() }
    }

    private func unsigned(_ scene: PresentationScene) async throws -> UnsignedPresentations {
        let store = [try await scene.mdoc(), try await scene.sdJWT()]
        return try await scene.prepare(store, for: PresentationScene.request(Self.query))
    }

    @Test @MainActor func signsWithTheKeyOfEachCredential() async throws {
        let scene = try await PresentationScene.make()
        let unsigned = try await unsigned(scene)
        var asked: [[CredentialName]] = []
        let token = try await unsigned.signed { pending in
            asked.append(pending.credentials)
            return scene.deviceKey
        }
        #expect(asked == [["mdl"], ["pid"]])
        guard case .queries(let answers) = token else {
            Issue.record("\(token)")
            return
        }
        #expect(answers.map(\.query) == ["a", "b"])
    }

    @Test func refusesKeysThatDoNotFit() async throws {
        let scene = try await PresentationScene.make()
        let unsigned = try await unsigned(scene)
        await expect(.missingHolderKey) { _ = try await unsigned.signed { _ in scene.holderKey } }
        let lost = await #expect(throws: OID4VPError.self) {
            _ = try await unsigned.signed { _ in throw Locked() }
        }
        #expect(lost?.code == .missingHolderKey && lost?.cause is Locked)
        await expect(.invalidSelection) {
            _ = try await unsigned.signed { _ in throw OID4VPError(.invalidSelection, "another copy") }
        }
        let key = LockedKey(publicKey: scene.deviceKey.publicKey, algorithm: scene.deviceKey.algorithm)
        let failed = await #expect(throws: OID4VPError.self) { _ = try await unsigned.signed { _ in key } }
        #expect(failed?.code == .signingFailed && failed?.cause is Locked)
    }
}
