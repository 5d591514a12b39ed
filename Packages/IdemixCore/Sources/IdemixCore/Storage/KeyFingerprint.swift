import CBORKit
import CryptoCore

extension IdemixIssuerPublicKey {
    /// The SHA-256 of the modulus, by which stored state names the key that it belongs to.
    private var fingerprint: [UInt8] { HashAlgorithm.sha256.digest(of: elements.n.bytes) }

    /// Writes the members that name the key: two of them.
    func writeName(to writer: inout SecretStateWriter) {
        writer.write(text: "counter")
        writer.write(unsigned: UInt64(counter))
        writer.write(text: "modulus")
        writer.write(bytes: fingerprint)
    }

    /// Refuses state that belongs to another key.
    ///
    /// - Throws: ``IdemixError/Code/keyPairMismatch``, `CBORError`.
    func requireName(in map: CBORMapView) throws {
        let counter: UInt = try map.required("counter").integer()
        guard counter == self.counter, Array(try map.required("modulus").bytes()) == fingerprint else {
            throw IdemixError(.keyPairMismatch, "the state belongs to another key, with the counter \(counter)")
        }
    }
}
