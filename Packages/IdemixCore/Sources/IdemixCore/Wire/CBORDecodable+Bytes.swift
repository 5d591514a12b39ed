import CBORKit

extension CBORDecodable {
    /// Reads a value from its CBOR.
    ///
    /// - Throws: ``IdemixError/Code/malformedCBOR``, or the type's own error.
    static func read(_ bytes: [UInt8]) throws(IdemixError) -> Self {
        do {
            return try Self(cbor: CBORDocument(bytes).root)
        } catch let error as IdemixError {
            throw error
        } catch {
            throw IdemixError(.malformedCBOR, "not the CBOR of this value", cause: error)
        }
    }
}
