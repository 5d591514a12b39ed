public import CryptoCore

extension COSEMac {
    /// Makes the authentication tag of a payload for recipients (RFC 9052 section 6.3).
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - detached: Indicates that the message leaves the payload out.
    ///   - headers: The headers of the body, which must name the algorithm of the tag.
    ///   - externalAAD: Data that the application authenticates along with the message.
    ///   - recipients: The recipients of the key.
    ///   - randomness: The source of keys and nonces.
    public static func authenticate(
        _ payload: [UInt8],
        detached: Bool = false,
        headers: COSEHeaders,
        externalAAD: [UInt8] = [],
        for recipients: [COSEKeyDistribution],
        using randomness: any RandomSource = .system
    ) async throws(COSEError) -> COSEMac {
        do throws(COSEError) {
            let operation = try headers.macOperation()
            let (key, recipients) = try await KeyDistributor(randomness: randomness)
                .distribute(for: ContentKeyUse(operation.algorithm), to: recipients, layer: .mac)
            let structure = headers.macStructure("MAC", payload: payload[...], externalAAD: externalAAD)
            return COSEMac(
                headers: headers,
                payload: detached ? nil : payload[...],
                tag: try operation.tag(over: structure.encoded, key: key)[...],
                recipients: recipients
            )
        } catch {
            throw error.inside("COSE_Mac")
        }
    }
}
