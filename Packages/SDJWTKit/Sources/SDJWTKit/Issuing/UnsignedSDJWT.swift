public import JOSEKit
import JSONKit

/// An SD-JWT that lacks the issuer's signature, for issuers that sign elsewhere.
public struct UnsignedSDJWT: Sendable {
    /// The bytes to sign with the issuer's key.
    public var bytesToSign: [UInt8] { unsigned.bytesToSign }

    /// The algorithm to sign with.
    public var algorithm: JWSAlgorithm { unsigned.algorithm }

    /// The Disclosures that go to the holder.
    public let disclosures: [SDJWTDisclosure]

    private let unsigned: JWS.Unsigned

    init(payload: JSONObject, header: JOSEHeader, _ disclosures: [SDJWTDisclosure]) throws(SDJWTError) {
        self.disclosures = disclosures
        do throws(JOSEError) {
            unsigned = try JWS.Unsigned(payload: JSONValue.object(payload).encoded(), header: header)
        } catch {
            throw SDJWTError(.invalidValue, reading: error)
        }
        guard !algorithm.isSymmetric else {
            throw SDJWTError(.algorithmNotAllowed, "an SD-JWT is signed, not authenticated with a shared key")
        }
    }

    /// The SD-JWT with its signature.
    ///
    /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
    /// - Throws: ``SDJWTError/Code/signingFailed`` for a length that the algorithm cannot have.
    public func completed(with signature: [UInt8]) throws(SDJWTError) -> SDJWT {
        let jws: JWS
        do throws(JOSEError) {
            jws = try unsigned.completed(with: signature)
        } catch {
            throw SDJWTError(.signingFailed, reading: error)
        }
        let list = SeparateDisclosures(disclosures)
        return try SDJWT(
            .compact,
            jws,
            payload: try SDJWT.claims(of: jws, limits: .making),
            list,
            presentedText: try SDJWT.presentedText(jws, list)[...],
            keyBindingText: nil,
            limits: .making
        )
    }
}
