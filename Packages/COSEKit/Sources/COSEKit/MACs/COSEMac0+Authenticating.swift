public import CryptoCore

extension COSEMac0 {
    /// Makes the authentication tag of a payload (RFC 9052 section 6.3).
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - detached: Indicates that the message leaves the payload out.
    ///   - headers: The headers, which must name the algorithm.
    ///   - externalAAD: Data that the application authenticates along with the message.
    ///   - key: The shared key.
    public static func authenticate(
        _ payload: [UInt8],
        detached: Bool = false,
        headers: COSEHeaders,
        externalAAD: [UInt8] = [],
        with key: SecretBytes
    ) throws(COSEError) -> COSEMac0 {
        let unauthenticated = try Unauthenticated(
            payload: payload,
            detached: detached,
            headers: headers,
            externalAAD: externalAAD
        )
        return try within("COSE_Mac0") { () throws(COSEError) in
            let operation = try MACOperation(unauthenticated.algorithm)
            let tag = try operation.tag(over: unauthenticated.bytesToAuthenticate, key: key)
            return try unauthenticated.completed(with: tag)
        }
    }

    /// A COSE_Mac0 without its tag, for keys that live elsewhere.
    public struct Unauthenticated: Sendable {
        /// The bytes to authenticate: the encoded `MAC_structure`.
        public let bytesToAuthenticate: [UInt8]
        /// The algorithm that the headers name.
        public let algorithm: COSEAlgorithm

        private let headers: COSEHeaders
        private let payload: [UInt8]?

        /// Prepares a tag.
        ///
        /// - Parameters:
        ///   - payload: The payload.
        ///   - detached: Indicates that the message leaves the payload out.
        ///   - headers: The headers, which must name the algorithm.
        ///   - externalAAD: Data that the application authenticates along with the message.
        public init(
            payload: [UInt8],
            detached: Bool = false,
            headers: COSEHeaders,
            externalAAD: [UInt8] = []
        ) throws(COSEError) {
            algorithm = try within("COSE_Mac0") { () throws(COSEError) in try headers.macOperation().algorithm }
            bytesToAuthenticate =
                headers.macStructure("MAC0", payload: payload[...], externalAAD: externalAAD).encoded
            self.headers = headers
            self.payload = detached ? nil : payload
        }

        /// The message with its tag.
        ///
        /// - Parameter tag: The tag over ``bytesToAuthenticate``, cut off as the algorithm says.
        /// - Throws: ``COSEError/Code/invalidMAC`` for a length that the algorithm does not have.
        public func completed(with tag: [UInt8]) throws(COSEError) -> COSEMac0 {
            guard tag.count == algorithm.macAlgorithm?.tagSize else {
                throw COSEError(
                    .invalidMAC,
                    "\(tag.count) bytes are no tag of \(algorithm)",
                    path: ["COSE_Mac0", "tag"]
                )
            }
            return COSEMac0(headers: headers, payload: payload?[...], tag: tag[...])
        }
    }
}
