import CommandTesting
import CryptoCore
import Foundation
import JSONKit
import Testing

/// The credentials that `credential oid4vp present` chooses where several fit.
@Suite struct OID4VPSelectionTests {
    /// The query for the SD-JWT, whose verifier takes several credentials or one.
    private static func query(multiple: Bool) throws -> JSONValue {
        var query = try #require(OID4VPScene.Credential.sdJWT.query["credentials"]?[0]?.objectValue)
        query["multiple"] = .bool(multiple)
        return ["credentials": [.object(query)]]
    }

    /// Requests the SD-JWT, of which there is a second one in another name.
    private static func scene(multiple: Bool) async throws -> OID4VPScene {
        let scene = try await OID4VPScene()
        try await scene.writeSDJWT(familyName: "Byron", to: "second")
        try await scene.request(try query(multiple: multiple), ["--response-uri", OID4VPScene.address])
        return scene
    }

    /// The names that a verifier gets.
    private static func verifiedNames(_ scene: OID4VPScene) async throws -> [String] {
        let verified = try await scene.verify(["--json"])
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
        let credentials = try JSONValue(parsing: verified.output)["credentials"]?["q"]?.arrayValue ?? []
        return credentials.compactMap { $0["claims"]?["family_name"]?.stringValue }
    }

    private static let hint = "1 more fit: --all-matching presents them"

    @Test func presentsAllThatFitOnlyIfTheHolderSaysSo() async throws {
        let scene = try await Self.scene(multiple: true)
        let second = ["--yes", "--credential", scene.folder.path("second")]
        let one = await scene.present(second)
        #expect(one.status == 0, "\(one.errors)\(one.output)")
        #expect(one.output.contains(Self.hint) && !one.output.contains("Byron"), "\(one.output)")
        #expect(try await Self.verifiedNames(scene) == ["Lovelace"])
        let all = await scene.present(second + ["--all-matching"])
        #expect(all.status == 0, "\(all.errors)\(all.output)")
        #expect(all.output.contains("Byron") && !all.output.contains("--all-matching"), "\(all.output)")
        #expect(try await Self.verifiedNames(scene) == ["Lovelace", "Byron"])
    }

    @Test func presentsOneToAVerifierThatTakesOne() async throws {
        let scene = try await Self.scene(multiple: false)
        let presented = await scene.present(["--yes", "--credential", scene.folder.path("second"), "--all-matching"])
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        #expect(!presented.output.contains("Byron"), "\(presented.output)")
        #expect(try await Self.verifiedNames(scene) == ["Lovelace"])
    }

    /// Every credential of the wallet leaves as one copy, which is spent then.
    @Test func presentsACopyOfEachCredentialOfAWallet() async throws {
        let scene = try await Self.scene(multiple: true)
        try await scene.makeWallet(sdJWTs: 2)
        try await scene.addToWallet(["second"], keys: ["holder.pem"])
        let presented = await scene.presentFromWallet(["--all-matching"])
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        #expect(try await Self.verifiedNames(scene).sorted() == ["Byron", "Lovelace"])
        let list = await Invocation.run(
            arguments: [
                "wallet", "list", scene.folder.path("wallet"), "--wallet-key", scene.folder.path("wallet.key"),
                "--json",
            ],
            now: OID4VPScene.now
        )
        let credentials = try JSONValue(parsing: list.output)["credentials"]?.arrayValue ?? []
        let left = credentials.map { "\($0["type"]?.stringValue ?? "") \($0["usableCopies"]?.text() ?? "")" }
        #expect(left.sorted() == ["org.iso.18013.5.1.mDL 1", "urn:pid 0", "urn:pid 1"], "\(list.output)")
    }

    /// The verifier takes one algorithm, and the next copy is for a key with another.
    @Test func presentsACopyForAKeyThatTheVerifierTakes() async throws {
        let scene = try await OID4VPScene()
        try scene.folder.write(try PrivateKey.generate(.p384).pem, to: "holder-p384.pem")
        try await scene.writeSDJWT(holderKey: "holder-p384.pem", to: "p384")
        _ = await Invocation.run(
            "wallet",
            "init",
            scene.folder.path("wallet"),
            "--wallet-key",
            scene.folder.path("wallet.key")
        )
        try await scene.addToWallet(["sdJWT", "p384"], keys: ["holder.pem", "holder-p384.pem"])
        let options = ["--response-uri", OID4VPScene.address, "--response-mode", "direct_post"]
        for (algorithm, isAnswered) in [("ES384", true), ("ES384", false), ("ES256", true), ("ES256", false)] {
            try await scene.request(OID4VPScene.Credential.sdJWT.query, options)
            let formats: JSONValue = ["dc+sd-jwt": ["kb-jwt_alg_values": [.string(algorithm)]]]
            try scene.changeRequest(["client_metadata": ["vp_formats_supported": formats]])
            let presented = await scene.presentFromWallet()
            #expect(presented.status == (isAnswered ? 0 : 1), "\(algorithm): \(presented.errors)\(presented.output)")
            guard isAnswered else { continue }
            let verified = try await scene.verify()
            #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
        }
    }
}
