import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit

extension KeyshareConnection {
    /// The server's shares P for keys.
    func shares(
        for keys: [KeyshareKeyIdentifier],
        _ access: KeyshareAccess
    ) async throws(WalletError) -> [KeyshareKeyIdentifier: BigInteger] {
        let answer: KeyshareShares = try await post("api/v2/prove/getPs", KeyshareKeyList(keys), access)
        for key in keys where answer.shares[key] == nil {
            throw WalletError(.keyshare, "the server gave no share for a key", path: [key.description])
        }
        return answer.shares
    }

    /// The server's commitments for keys; with a hash by the newer protocol.
    func commitments(
        for keys: [KeyshareKeyIdentifier],
        inputHash: [UInt8]?,
        _ access: KeyshareAccess
    ) async throws(WalletError) -> [KeyshareKeyIdentifier: BigInteger] {
        let answer: KeyshareCommitments
        if let inputHash {
            let request = KeyshareCommitmentRequest(keys: keys, inputHash: inputHash)
            answer = try await post("api/v2/prove/getCommitments", request, access)
        } else {
            answer = try await post("prove/getCommitments", KeyshareKeyList(keys), access)
        }
        for key in keys where answer.commitments[key] == nil {
            throw WalletError(.keyshare, "the server gave no commitment for a key", path: [key.description])
        }
        return answer.commitments.mapValues(\.commitment)
    }

    /// The server's answer to a challenge: the token as it came, and what it says.
    func response(to challenge: BigInteger, _ access: KeyshareAccess) async throws(WalletError) -> KeyshareAnswer {
        let body = try WalletError.convertingIdemix { () throws(IdemixError) in try challenge.json() }.encoded()
        return try answer(try await send("prove/getResponse", body, access))
    }

    /// The server's answer by the newer protocol, in which it computes the challenge itself.
    func response(
        to request: KeyshareCommitment.ChallengeRequest,
        linkable: Bool,
        _ access: KeyshareAccess
    ) async throws(WalletError) -> KeyshareAnswer {
        let body = try WalletError.convertingIdemix { () throws(IdemixError) in try request.encoded() }
        let path = linkable ? "api/v2/prove/getResponseLinkable" : "api/v2/prove/getResponse"
        return try answer(try await send(path, body, access))
    }

    /// Reads and verifies the server's token, which comes as a text or as a string of JSON.
    private func answer(_ body: [UInt8]) throws(WalletError) -> KeyshareAnswer {
        var text = String(decoding: body, as: UTF8.self)
        if text.utf8.first == UInt8(ascii: "\"") {
            guard let string = (try? JSONValue(parsing: body))?.stringValue else {
                throw WalletError(.serialization, "the server's answer is no token", path: [scheme.id.text])
            }
            text = string
        }
        do {
            let token = try JWT(compact: text)
            let name = try token.unverifiedHeader().keyID() ?? "0"
            guard let number = UInt(name), let key = scheme.keyshareKeys[number] else {
                throw WalletError(.invalidJWT, "the scheme has no key of this number", path: [scheme.id.text, name])
            }
            let verified = try token.jws.verify(with: key, policy: [.rs256])
            let claims = try KeyshareProofClaims(decoding: verified.payload)
            return KeyshareAnswer(token: text, response: claims.response)
        } catch let error as WalletError {
            throw error
        } catch {
            throw WalletError(.invalidJWT, "the server's answer does not verify", path: [scheme.id.text], cause: error)
        }
    }
}

/// The account that a session uses at a keyshare server, and the way to its user's PIN.
struct KeyshareAccess: Sendable {
    let account: WalletKeyshareAccount
    let pin: KeysharePINHandler
}

/// A keyshare server's answer to a challenge.
struct KeyshareAnswer: Sendable {
    let token: String
    let response: KeyshareResponse
}
