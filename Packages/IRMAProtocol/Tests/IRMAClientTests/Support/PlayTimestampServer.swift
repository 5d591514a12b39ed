import CredentialTransport
import CryptoCore
import Foundation
import IRMAMessages
import JSONKit
import Synchronization
import Testing

@testable import IRMAClient

/// A timestamp server in memory.
final class PlayTimestampServer: Sendable {
    struct State: Sendable {
        var error: String?
        var signsAnotherNonce = false
        /// The proof of work that requests need.
        var demand: String?
        /// Indicates that no proof of work is good enough.
        var refusesProofs = false
        var requests: [TimestampRequest] = []
    }

    private let stage: Stage
    private let state = Mutex(State())

    init(_ stage: Stage, _ change: (inout State) -> Void = { _ in }) {
        self.stage = stage
        state.withLock { change(&$0) }
    }

    var current: State { state.withLock { $0 } }

    func answer(_ request: HTTPTransportRequest) throws(TransportError) -> InMemoryHTTPAnswer? {
        guard request.url.host.description == "time.example" else { return nil }
        do {
            let message = try TimestampRequest(decoding: request.body)
            let state = state.withLock { state in
                state.requests.append(message)
                return state
            }
            let error = try state.error ?? complaint(about: message, state)
            var answer = TimestampResponse(stamp: error == nil ? try stamp(on: message, state) : nil, error: error)
            if error != nil, let demand = state.demand {
                answer.info = ["AcceptableLag": 60, "RequiredProofOfWork": ["ed25519": .string(demand)]]
            }
            return PlayServer.json(try answer.json())
        } catch {
            throw TransportError(.exchangeFailed, "\(error)")
        }
    }

    private func stamp(on message: TimestampRequest, _ state: State) throws -> SignatureTimestamp {
        var stamp = SignatureTimestamp(
            time: message.time ?? Int64(Stage.now.timeIntervalSince1970),
            serverURL: Stage.timestampServer,
            signature: SignatureTimestamp.Signature(
                algorithm: SignatureTimestamp.ed25519,
                data: [],
                publicKey: try #require(stage.timestampKey.publicKey.rawRepresentation)
            )
        )
        stamp.signature.data = try SoftwareSigner(stage.timestampKey).signature(
            for: stamp.signedBytes(nonce: state.signsAnotherNonce ? [1, 2, 3] : message.nonce)
        )
        return stamp
    }

    /// The error for a request without the proof of work that is demanded.
    private func complaint(about message: TimestampRequest, _ state: State) throws -> String? {
        guard let demand = state.demand else { return nil }
        guard let proof = message.proofOfWork?.stringValue, let time = message.time else {
            return "proof of work is missing"
        }
        let parts = demand.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        let data = withUnsafeBytes(of: time.bigEndian) { Array($0) } + message.nonce
        let nonce = try #require(
            Data(base64Encoded: parts[2] + String(repeating: "=", count: (4 - parts[2].count % 4) % 4))
        )
        let bytes = try #require(Data(base64Encoded: proof))
        let range = UInt64(1) << (try #require(UInt64(parts[1])))
        guard bytes.count == 24, !state.refusesProofs else { return "proof of work is invalid" }
        let numbers = stride(from: 0, to: 24, by: 8).map { Array(bytes[$0..<$0 + 8]) }
        let ends = numbers.map { number in
            let digest = HashAlgorithm.sha256.digest(of: number + data + nonce)
            return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } % range
        }
        return Set(numbers).count == 3 && Set(ends).count == 1 ? nil : "proof of work is invalid"
    }
}
