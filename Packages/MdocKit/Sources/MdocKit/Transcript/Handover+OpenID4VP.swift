internal import CBORKit

extension Handover {
    /// `["OpenID4VPHandover", …]`: OpenID4VP 1.0 by redirect, `direct_post` or `direct_post.jwt`.
    ///
    /// - Parameters:
    ///   - clientID: The client identifier with its prefix, such as `x509_san_dns:example.com`.
    ///   - nonce: The request's nonce.
    ///   - jwkThumbprint: The 32 bytes of the SHA-256 thumbprint (RFC 7638) of the key that the response is encrypted
    ///     to; nil for a response that is not encrypted.
    ///   - responseURI: The request's `response_uri`, or its `redirect_uri` where it has none.
    public static func openID4VP(
        clientID: String,
        nonce: String,
        jwkThumbprint: [UInt8]?,
        responseURI: String
    ) -> Handover {
        hashed("OpenID4VPHandover") { writer in
            writer.beginArray(count: 4)
            writer.write(text: clientID)
            writer.write(text: nonce)
            writer.write(optionalBytes: jwkThumbprint)
            writer.write(text: responseURI)
        }
    }

    /// `["OpenID4VPDCAPIHandover", …]`: OpenID4VP 1.0 over the Digital Credentials API.
    ///
    /// - Parameters:
    ///   - origin: The origin of the page that asks, without the prefix `origin:`.
    ///   - nonce: The request's nonce.
    ///   - jwkThumbprint: The 32 bytes of the SHA-256 thumbprint (RFC 7638) of the key that the response is encrypted
    ///     to; nil for a response that is not encrypted.
    public static func openID4VPDigitalCredentialsAPI(
        origin: String,
        nonce: String,
        jwkThumbprint: [UInt8]?
    ) -> Handover {
        hashed("OpenID4VPDCAPIHandover") { writer in
            writer.beginArray(count: 3)
            writer.write(text: origin)
            writer.write(text: nonce)
            writer.write(optionalBytes: jwkThumbprint)
        }
    }

    /// `["OpenID4VCIIAEHandover", …]`: a presentation that an issuer asks for during issuance, in the response modes
    /// `iar-post`, `iae_post`, `ia_post` and their `.jwt` forms (OpenID4VCI 1.1, Interactive Authorization).
    ///
    /// Response modes, endpoint and audience were renamed twice. The structure and its name stayed; the endpoint is the
    /// one that the mode belongs to.
    ///
    /// - Parameters:
    ///   - endpoint: The URL that the response goes to, without the prefix `iar:`, `iae:` or `ia:`.
    ///   - nonce: The request's nonce.
    ///   - jwkThumbprint: The 32 bytes of the SHA-256 thumbprint (RFC 7638) of the key that the response is encrypted
    ///     to; nil for a response that is not encrypted.
    public static func openID4VCIInteractiveAuthorization(
        endpoint: String,
        nonce: String,
        jwkThumbprint: [UInt8]?
    ) -> Handover {
        hashed("OpenID4VCIIAEHandover") { writer in
            writer.beginArray(count: 3)
            writer.write(text: endpoint)
            writer.write(text: nonce)
            writer.write(optionalBytes: jwkThumbprint)
        }
    }

    /// `["OpenID4VPDCAPIHandover", …]` as draft 24 of OpenID4VP had it over the Digital Credentials API.
    ///
    /// - Parameters:
    ///   - origin: The origin of the page that asks.
    ///   - clientID: The client identifier; `web-origin:` and the origin for a request that is not signed.
    ///   - nonce: The request's nonce.
    public static func openID4VPDraft24DigitalCredentialsAPI(
        origin: String,
        clientID: String,
        nonce: String
    ) -> Handover {
        hashed("OpenID4VPDCAPIHandover") { writer in
            writer.beginArray(count: 3)
            writer.write(text: origin)
            writer.write(text: clientID)
            writer.write(text: nonce)
        }
    }

    /// `[clientIdHash, responseUriHash, nonce]`: OpenID4VP up to draft 23 (ISO/IEC TS 18013-7, B.4.4).
    ///
    /// - Parameters:
    ///   - clientID: The request's `client_id`.
    ///   - responseURI: The request's `response_uri`.
    ///   - nonce: The request's nonce.
    ///   - mdocGeneratedNonce: The wallet's own nonce, which it sends as `apu` of the encrypted response.
    public static func openID4VPDraft23(
        clientID: String,
        responseURI: String,
        nonce: String,
        mdocGeneratedNonce: String
    ) -> Handover {
        Handover(array: 3) { writer in
            for text in [clientID, responseURI] {
                let info = CBORWriter.bytes { writer in
                    writer.beginArray(count: 2)
                    writer.write(text: text)
                    writer.write(text: mdocGeneratedNonce)
                }
                writer.write(bytes: sha256(info))
            }
            writer.write(text: nonce)
        }
    }

    /// `[mdocGeneratedNonce, clientId, responseUri, nonce]`: an early form, unhashed, that some libraries still offer.
    ///
    /// - Parameters:
    ///   - clientID: The request's `client_id`.
    ///   - responseURI: The request's `response_uri`.
    ///   - nonce: The request's nonce.
    ///   - mdocGeneratedNonce: The wallet's own nonce.
    public static func openID4VPUnhashed(
        clientID: String,
        responseURI: String,
        nonce: String,
        mdocGeneratedNonce: String
    ) -> Handover {
        Handover(array: 4) { writer in
            for text in [mdocGeneratedNonce, clientID, responseURI, nonce] { writer.write(text: text) }
        }
    }
}
