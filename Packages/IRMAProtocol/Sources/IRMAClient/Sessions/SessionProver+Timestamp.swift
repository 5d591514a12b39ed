import IRMAMessages
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionProver {
    /// The timestamp of a signature, which is checked to be about it.
    func timestamp(for prepared: PreparedSignature) async throws(WalletError) -> SignatureTimestamp {
        let channel = try core.channel(to: prepared.timestampServer)
        var request = prepared.timestampRequest
        var answer = try await ask(channel, request)
        if let work = try answer.requiredWork(atMost: core.options.maximumProofOfWork) {
            let time = Int64(core.clock.now().timeIntervalSince1970)
            request.time = time
            request.proofOfWork = .string(try work.proof(about: request.nonce, at: time))
            answer = try await ask(channel, request)
        }
        guard let stamp = answer.stamp else {
            throw WalletError(
                .serverResponse,
                "the timestamp server gave none: \(answer.error ?? "without a reason")",
                path: ["timestamp"]
            )
        }
        do throws(IRMAError) {
            // Verifiers know which keys are the server's; here only a stamp over something else is refused.
            let key = try TimestampKey(rawRepresentation: stamp.signature.publicKey)
            try stamp.requireSignature(over: request.nonce, by: [key])
        } catch {
            throw WalletError(.serverResponse, error.message, path: ["timestamp"] + error.path, cause: error)
        }
        return stamp
    }

    private func ask(
        _ channel: ServerChannel,
        _ request: TimestampRequest
    ) async throws(WalletError) -> TimestampResponse {
        let body = try await channel.post("", request)
        do throws(IRMAError) {
            return try TimestampResponse(decoding: body)
        } catch {
            throw WalletError(.serialization, error.message, path: ["timestamp"] + error.path, cause: error)
        }
    }
}

extension TimestampResponse {
    /// The proof of work that the server demands with its refusal, or nil for another answer.
    ///
    /// - Parameter limit: The largest difficulty.
    /// - Throws: ``WalletError/Code/proofOfWork``.
    fileprivate func requiredWork(atMost limit: Int) throws(WalletError) -> ProofOfWork? {
        guard let error, ["proof of work is missing", "proof of work is invalid"].contains(error),
            let demand = info?["RequiredProofOfWork"]?[SignatureTimestamp.ed25519]?.stringValue
        else { return nil }
        return try ProofOfWork(demand, atMost: limit)
    }
}
