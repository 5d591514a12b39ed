import CredentialTransport
import CryptoCore
import Foundation
import IRMAMessages
import JSONKit
import Testing

@testable import IRMAClient

/// Timestamps of signatures: what the server may ask for, and what it may not.
struct TimestampTests {
    private static let nonce = (0..<32).map { UInt8(200 - $0) }
    private static let suffix = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    /// Signs a message with the name on a card.
    private func sign(
        with timestamps: PlayTimestampServer,
        options: WalletOptions = WalletOptions(pairingInterval: .zero)
    ) async throws -> ProofStatus? {
        let stage = try Stage.shared.get()
        let server = try PlayServer(stage) { request throws(TransportError) in try timestamps.answer(request) }
        let wallet = try await stage.wallet(server, options: options)
        try await wallet.finish(server.start(issuing(offer(Stage.card, ["name": "Alice"]))))
        let request = SessionRequest(.signing(message: "x"), disclose: [[["demo.bank.card.name"]]])
        let pointer = server.start(request)
        try await wallet.finish(pointer)
        return server.session(pointer)?.proofStatus
    }

    @Test func refusesTimestampsOfSomethingElse() async throws {
        let stage = try Stage.shared.get()
        for timestamps in [
            PlayTimestampServer(stage) { $0.signsAnotherNonce = true },
            PlayTimestampServer(stage) { $0.error = "too much lag" },
        ] {
            await expectRefusal(.serverResponse) { try await sign(with: timestamps) }
            #expect(timestamps.current.requests.count == 1)
        }
    }

    @Test(arguments: [0, 8, 16]) func doesTheWorkThatTheServerDemands(difficulty: Int) async throws {
        let timestamps = PlayTimestampServer(try Stage.shared.get()) {
            $0.demand = "sha2bday-\(difficulty)-\(Self.suffix)"
        }
        #expect(try await sign(with: timestamps) == .valid)
        let requests = timestamps.current.requests
        #expect(requests.map { $0.proofOfWork == nil } == [true, false])
        #expect(requests.last?.time == Int64(Stage.now.timeIntervalSince1970))
    }

    @Test func doesTheWorkOnce() async throws {
        let timestamps = PlayTimestampServer(try Stage.shared.get()) {
            $0.demand = "sha2bday-8-\(Self.suffix)"
            $0.refusesProofs = true
        }
        await expectRefusal(.serverResponse) { try await sign(with: timestamps) }
        #expect(timestamps.current.requests.count == 2)
        // An error that names no demand for the algorithm is the end, too.
        let silent = PlayTimestampServer(try Stage.shared.get()) { $0.error = "proof of work is missing" }
        await expectRefusal(.serverResponse) { try await sign(with: silent) }
        #expect(silent.current.requests.count == 1)
    }

    @Test func refusesWorkBeyondItsLimit() async throws {
        let timestamps = PlayTimestampServer(try Stage.shared.get()) { $0.demand = "sha2bday-25-\(Self.suffix)" }
        await expectRefusal(.proofOfWork) { try await sign(with: timestamps) }
        #expect(timestamps.current.requests.count == 1)
        let options = WalletOptions(pairingInterval: .zero, maximumProofOfWork: 7)
        let lower = PlayTimestampServer(try Stage.shared.get()) { $0.demand = "sha2bday-8-\(Self.suffix)" }
        await expectRefusal(.proofOfWork) { try await sign(with: lower, options: options) }
        #expect(WalletOptions.default.maximumProofOfWork == 24)
        #expect(WalletOptions(maximumProofOfWork: 33).maximumProofOfWork == 32)
        #expect(WalletOptions(maximumProofOfWork: -1).maximumProofOfWork == 0)
        #expect(throws: Never.self) { try ProofOfWork("sha2bday-24-\(Self.suffix)", atMost: 24) }
        // An option that was set later cannot lead beyond what the algorithm compares.
        #expect(throws: Never.self) { try ProofOfWork("sha2bday-32-\(Self.suffix)", atMost: .max) }
        for difficulty in [33, 64, 4_294_967_295] {
            #expect(throws: WalletError.self) { try ProofOfWork("sha2bday-\(difficulty)-\(Self.suffix)", atMost: .max) }
        }
    }

    @Test(
        arguments: [
            "", "sha2bday", "sha2bday-8", "sha3bday-8-AAEC", "sha2bday--AAEC", "sha2bday-x-AAEC", "sha2bday--1-AAEC",
            "sha2bday-4294967296-AAEC", "sha2bday-8-A", "sha2bday-8-A_-", "sha2bday-8-AAE=",
        ]
    )
    func refusesUnknownDemands(text: String) async {
        await expectRefusal(.proofOfWork) { try ProofOfWork(text, atMost: 24) }
    }

    /// The proofs that go-pow gives for the same demands.
    @Test(
        arguments: [
            (0, suffix, "AAAAAAAAAAEAAAAAAAAAAgAAAAAAAAAD"), (1, suffix, "AAAAAAAAAAEAAAAAAAAAAgAAAAAAAAAD"),
            (8, suffix, "AAAAAAAAAAkAAAAAAAAAIAAAAAAAAAAi"), (12, suffix, "AAAAAAAAAEEAAAAAAAAAbQAAAAAAAAIo"),
            (16, suffix, "AAAAAAAAADIAAAAAAAABjgAAAAAAAAe6"), (10, "", "AAAAAAAAACEAAAAAAAAAYwAAAAAAAADM"),
            (10, "+/8", "AAAAAAAAADwAAAAAAAAAhgAAAAAAAAEy"),
        ]
    )
    func givesTheProofsOfTheReference(difficulty: Int, suffix: String, proof: String) throws {
        let work = try ProofOfWork("sha2bday-\(difficulty)-\(suffix)", atMost: 24)
        #expect(try work.proof(about: Self.nonce, at: 1_800_000_000) == proof)
    }

    @Test func endsItsWorkWhenCancelled() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try ProofOfWork("sha2bday-32-\(Self.suffix)", atMost: 32).proof(about: Self.nonce, at: 0)
        }
        await expectRefusal(.cancelled) { try await task.value }
    }
}
