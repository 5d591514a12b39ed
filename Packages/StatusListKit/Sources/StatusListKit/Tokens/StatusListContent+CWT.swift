import CBORKit
public import COSEKit
public import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension StatusListContent {
    /// The claims of a token in CWT form.
    ///
    /// - Throws: ``StatusListError/Code/limitExceeded`` for a list that zlib cannot take.
    public func cwtClaims() throws(StatusListError) -> CWTClaims {
        var claims = CWTClaims()
        claims[.claimSubject] = .text(uri)
        claims[.claimIssuedAt] = .integer(Int64(issuedAt.timeIntervalSince1970))
        claims[.claimExpirationTime] = expirationTime.map { .integer(Int64($0.timeIntervalSince1970)) }
        claims[.claimTimeToLive] = timeToLive.map { .integer($0) }
        claims[.claimStatusList] = try statusList.cbor()
        return claims
    }

    /// Signs a token in CWT form.
    ///
    /// - Parameters:
    ///   - headers: The headers beside `typ` and the algorithm, such as `kid` or `x5chain`.
    ///   - signer: The key, wherever it lives.
    /// - Throws: ``StatusListError/Code/signingFailed``, and the errors of the headers.
    public func signedCWT(
        headers: COSEHeaders = COSEHeaders(),
        with signer: any Signer
    ) async throws(StatusListError) -> StatusListToken {
        let payload = try cwtClaims().encoded()
        do {
            return StatusListToken(try await COSESign1.sign(payload, headers: headers.ofStatusList, with: signer))
        } catch {
            throw StatusListError(error)
        }
    }

    /// A token in CWT form without its signature, for a signature that is made elsewhere.
    ///
    /// `StatusListToken(message)` makes a token of the completed message.
    /// - Parameter headers: The headers beside `typ`; they must name the algorithm.
    /// - Throws: The error for invalid headers.
    public func unsignedCWT(headers: COSEHeaders) throws(StatusListError) -> COSESign1.Unsigned {
        let payload = try cwtClaims().encoded()
        do {
            return try COSESign1.Unsigned(payload: payload, headers: headers.ofStatusList)
        } catch {
            throw StatusListError(error)
        }
    }
}

extension COSEHeaders {
    /// The same headers with the type of a status list token, which must be protected.
    fileprivate var ofStatusList: COSEHeaders {
        var protected = protected
        protected[.type] = .text(StatusListToken.Form.cwt.rawValue)
        return COSEHeaders(protected: protected, unprotected: unprotected)
    }
}
