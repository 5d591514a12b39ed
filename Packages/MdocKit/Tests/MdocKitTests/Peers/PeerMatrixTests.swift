import CryptoCore
import Foundation
import MdocKit
import TestSupport
import Testing

/// Every curve, hash function and device authentication of the standard with other people's libraries, in both directions.
@Suite(.enabled(PythonPeers.absence) { await PythonPeers.shared.areAvailable })
struct PeerMatrixTests {
    @Test func theyIssueForOurWallet() async throws {
        let combinations = PeerCombination.issuing
        let scenes = try await Self.scenes(of: combinations)
        let tasks = zip(combinations, scenes).map { combination, scene in
            var task = PeerTask(.issue, by: combination.peer)
            task.docType = DocType.mDL.text
            task.elements = PeerScene.elements
            task.signer = scene.utopia.documentSigner.derBytes.hex
            task.signerKey = scene.utopia.documentSignerKey.pkcs8.withUnsafeBytes { [UInt8]($0) }.hex
            task.deviceKey = scene.deviceKey.publicKey.subjectPublicKeyInfo.hex
            return task
        }
        var outcomes: [PeerOutcome] = []
        for (answer, scene) in zip(try await PythonPeers.shared.run(tasks), scenes) {
            outcomes.append(try await Self.outcome(of: answer, scene))
        }
        Self.check(combinations, outcomes)
    }

    @Test func theyVerifyOurWallet() async throws {
        let combinations = PeerCombination.verifying
        let scenes = try await Self.scenes(of: combinations)
        var tasks: [PeerTask] = []
        for (combination, scene) in zip(combinations, scenes) {
            let response = try await scene.present(scene.issue())
            #expect(await scene.verify(response).verifiedDocuments.count == 1, "\(combination)")
            var task = PeerTask(.verify, by: combination.peer)
            task.response = response.encodedBytes.hex
            task.transcript = scene.utopia.transcript.encodedBytes.hex
            task.anchor = scene.utopia.iaca.certificate.derBytes.hex
            tasks.append(task)
        }
        let outcomes = try await PythonPeers.shared.run(tasks).map { answer in
            if let refusal = answer.refusal { return PeerOutcome.refusedByPeer(refusal) }
            return answer.elements == PeerScene.elements
                ? .verified : .refusedByUs("other elements: \(String(describing: answer.elements))")
        }
        Self.check(combinations, outcomes)
    }

    /// Steps of the standard that neither has code for: a version that brings one needs its rows in the matrix.
    @Test(arguments: PythonPeers.Peer.allCases)
    func theyLackSessionsMACsAndRequests(_ peer: PythonPeers.Peer) async throws {
        var parts = [
            "session encryption": ["SessionEstablishment", "SKDevice", "SKReader", "HKDF", "AESGCM"],
            "device MAC": ["deviceMac", "Mac0"],
            "reader authentication": ["readerAuth", "ReaderAuthentication"],
            "requests": ["itemsRequest", "docRequests"],
        ]
        // isomdoc verifies device signatures; neither makes any.
        if peer == .pymdoccbor { parts["device signature"] = ["deviceSignature", "DeviceAuthentication"] }
        var task = PeerTask(.mentions, by: peer)
        task.words = parts.values.flatMap { $0 } + ["issuerAuth"]
        #expect(try await PythonPeers.shared.run(task).mentioned == ["issuerAuth"])
        for part in parts.keys.sorted() { print("mdoc peers: \(peer) \(part): refused by the peer: not implemented") }
    }

    private static func scenes(of combinations: [PeerCombination]) async throws -> [PeerScene] {
        var scenes: [PeerScene] = []
        for combination in combinations { scenes.append(try await PeerScene(combination.step)) }
        return scenes
    }

    /// Stores, presents and verifies a credential of a peer.
    private static func outcome(of answer: PeerAnswer, _ scene: PeerScene) async throws -> PeerOutcome {
        if let refusal = answer.refusal { return .refusedByPeer(refusal) }
        let encoded = try #require(answer.issuerSigned.flatMap { [UInt8](hex: $0) })
        do {
            let credential = try IssuerSigned(decoding: encoded, options: .deployed)
            let stored = scene.utopia.verifier(at: Date())
                .verifyForStorage(credential, deviceKey: scene.deviceKey.publicKey)
            if let failure = stored.failure { return .refusedByUs("\(failure)") }
            let verification = await scene.verify(try await scene.present(try stored.get().issuerSigned))
            if let failure = verification.documents.first?.failure { return .refusedByUs("\(failure)") }
            return .verified
        } catch let error as MdocError {
            return .refusedByUs("\(error)")
        }
    }

    private static func check(_ combinations: [PeerCombination], _ outcomes: [PeerOutcome]) {
        #expect(combinations.count == outcomes.count)
        for (combination, outcome) in zip(combinations, outcomes) {
            print("mdoc peers: \(combination): \(outcome)")
            let expected = combination.expectedRefusal
            guard let refusal = outcome.refusal else {
                #expect(expected == nil, "\(combination) is verified")
                continue
            }
            #expect(expected?.contains { refusal.contains($0) } == true, "\(combination): \(outcome)")
        }
        let verified = outcomes.count { $0.refusal == nil }
        print("mdoc peers: \(outcomes.count) combinations, \(verified) verified, \(outcomes.count - verified) refused")
    }
}
