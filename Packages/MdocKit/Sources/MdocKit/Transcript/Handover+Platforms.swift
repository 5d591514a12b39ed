internal import CBORKit
public import CryptoCore

extension Handover {
    /// `["AppleIdentityPresentment_1.0", nonce, merchantId, teamId, …]`: Apple Wallet through PassKit.
    ///
    /// - Parameters:
    ///   - nonce: The nonce that the app set.
    ///   - merchantID: The merchant identifier.
    ///   - teamID: The team identifier.
    ///   - recipient: The key that the response is encrypted to.
    /// - Throws: ``MdocError`` with code `unsupportedKey` if the key is not on a Weierstrass curve.
    public static func appleWallet(
        nonce: [UInt8],
        merchantID: String,
        teamID: String,
        recipient: PublicKey
    ) throws(MdocError) -> Handover {
        let recipientHash = try pointDigest(recipient)
        return Handover(array: 5) { writer in
            writer.write(text: "AppleIdentityPresentment_1.0")
            writer.write(bytes: nonce)
            writer.write(text: merchantID)
            writer.write(text: teamID)
            writer.write(bytes: recipientHash)
        }
    }

    /// `["AndroidHandoverv1", nonce, packageName, …]`: the preview of Android's credential manager.
    ///
    /// - Parameters:
    ///   - nonce: The request's nonce.
    ///   - packageName: The name of the app that asks.
    ///   - recipient: The key that the response is encrypted to.
    /// - Throws: ``MdocError`` with code `unsupportedKey` if the key is not on a Weierstrass curve.
    public static func androidPreview(
        nonce: [UInt8],
        packageName: String,
        recipient: PublicKey
    ) throws(MdocError) -> Handover {
        try preview("AndroidHandoverv1", nonce: nonce, requester: Array(packageName.utf8), recipient: recipient)
    }

    /// `["BrowserHandoverv1", nonce, OriginInfoBytes, …]`: the preview of browsers' credential interface.
    ///
    /// - Parameters:
    ///   - nonce: The request's nonce.
    ///   - origin: The origin of the page that asks.
    ///   - recipient: The key that the response is encrypted to.
    /// - Throws: ``MdocError`` with code `unsupportedKey` if the key is not on a Weierstrass curve.
    public static func browserPreview(
        nonce: [UInt8],
        origin: String,
        recipient: PublicKey
    ) throws(MdocError) -> Handover {
        let originInfo = CBORWriter.bytes { writer in
            writer.beginMap(count: 3)
            writer.write(text: "cat")
            writer.write(unsigned: 1)
            writer.write(text: "type")
            writer.write(unsigned: 1)
            writer.write(text: "details")
            writer.beginMap(count: 1)
            writer.write(text: "baseUrl")
            writer.write(text: origin)
        }
        return try preview("BrowserHandoverv1", nonce: nonce, requester: originInfo, recipient: recipient)
    }

    private static func preview(
        _ name: String,
        nonce: [UInt8],
        requester: [UInt8],
        recipient: PublicKey
    ) throws(MdocError) -> Handover {
        let recipientHash = try pointDigest(recipient)
        return Handover(array: 4) { writer in
            writer.write(text: name)
            writer.write(bytes: nonce)
            writer.write(bytes: requester)
            writer.write(bytes: recipientHash)
        }
    }

    /// SHA-256 over the uncompressed point.
    private static func pointDigest(_ key: PublicKey) throws(MdocError) -> [UInt8] {
        guard key.curve?.family == .weierstrass, let point = key.x963Representation else {
            throw MdocError(.unsupportedKey, "the recipient's key must be a point on a Weierstrass curve")
        }
        return sha256(point)
    }
}
