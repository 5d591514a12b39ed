import IRMAMessages
import JOSEKit
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IssuanceWork {
    /// The keys of SD-JWT copies, read; nil where the request asks for none, or the wallet keeps none.
    ///
    /// - Throws: `MALFORMED_INPUT` for what is no public key, `ISSUANCE_FAILED` for another number of keys than of copies.
    func readCopyKeys(in commitments: IssuanceCommitments) throws(RemoteError) -> [JWK]? {
        let count = record.request.credentials.reduce(0) { $0 + $1.copyCount }
        guard count > 0, let keys = commitments.keyBindingKeys else { return nil }
        guard keys.count == count else {
            throw Self.failure("\(count) SD-JWT copies were requested, and the wallet sent \(keys.count) keys")
        }
        var read: [JWK] = []
        for (position, key) in keys.enumerated() { read.append(try Self.publicKey(key, at: position)) }
        return read
    }

    private static func publicKey(_ json: JSONValue, at position: Int) throws(RemoteError) -> JWK {
        let place = "keybinding_pub_keys[\(position)]"
        do throws(JOSEError) {
            guard let key = try JWK(json: json).publicJWK else {
                throw JOSEError(.unsupportedKey, "a symmetric key binds no copy to a holder")
            }
            return key
        } catch {
            throw RemoteError(.malformedInput, message: "\(place): \(error.message)")
        }
    }

    /// The SD-JWT copies of the request's credentials, bound to the keys in their order; nil without keys, and where another
    /// process, which issues copies, started the session.
    ///
    /// - Throws: `ISSUANCE_FAILED`.
    func issueCopies(boundTo keys: [JWK]?, at time: Date) async throws(RemoteError) -> [String]? {
        guard let copyIssuer, var rest = keys?[...] else { return nil }
        var copies: [String] = []
        for credential in record.request.credentials where credential.copyCount > 0 {
            do throws(IRMAServerError) {
                let own = Array(rest.prefix(credential.copyCount))
                copies += try await copyIssuer.copies(of: credential, boundTo: own, at: time)
                rest = rest.dropFirst(own.count)
            } catch {
                throw Self.failure("no SD-JWT copies of \(credential.credential): \(error.message)")
            }
        }
        return copies
    }
}
