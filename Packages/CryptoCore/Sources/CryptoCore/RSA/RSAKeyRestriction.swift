/// The restriction of an RSA key that is marked for RSASSA-PSS (RFC 4055, 1.2).
struct RSAKeyRestriction: Hashable {
    /// The key's `AlgorithmIdentifier` in DER, as it was read.
    let identifier: [UInt8]

    /// The hash functions and the shortest salt that are allowed, or nil if the key leaves them open.
    let parameters: SignatureAlgorithm?

    /// Reads an `AlgorithmIdentifier` with id-RSASSA-PSS.
    ///
    /// - Throws: ``CryptoError/Code/unsupported`` for hash functions that this module does not have.
    init(identifier: ArraySlice<UInt8>) throws(CryptoError) {
        self.identifier = Array(identifier)
        var reader = DERReader(identifier)
        var members = try reader.readSequence()
        _ = try members.read(DERReader.Tag.objectIdentifier)
        guard !members.isAtEnd else {
            parameters = nil
            return
        }
        guard let parameters = try SignatureAlgorithm.pss(identifier) else {
            throw CryptoError(.unsupported, "the key is restricted to parameters that are not supported")
        }
        self.parameters = parameters
    }

    /// Returns `true` if the key may be used with parameters: PSS, the same hash functions, a salt that is long enough.
    func allows(_ wanted: RSASignatureParameters) -> Bool {
        guard case .pss(let mgf, let saltLength) = wanted.scheme else { return false }
        guard let parameters else { return true }
        guard case .rsaPSS(wanted.hash, mgf, let shortest) = parameters.kind else { return false }
        return saltLength >= shortest
    }
}

/// Recognizes RSA keys of a generator that was deployed in smart cards and trusted platform modules for years, and whose keys
/// can be factored (CVE-2017-15361; Nemec et al., The Return of Coppersmith's Attack, section 3.2).
///
/// Its primes are k·M + (65537^a mod M) for a product M of small primes, so that modulo each of these primes the modulus
/// is a power of 65537. Of other keys less than one in 2²⁷ is.
enum ROCA {
    /// The factors of every M modulo which less than all residues are powers of 65537.
    private static let primes: [UInt32] = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157]

    /// Returns `true` if a big-endian modulus has the form.
    static func isMarked(_ modulus: [UInt8]) -> Bool {
        primes.allSatisfy { isPower(remainder(of: modulus, by: $0), modulo: $0) }
    }

    private static func remainder(of number: [UInt8], by prime: UInt32) -> UInt32 {
        number.reduce(0) { ($0 << 8 | UInt32($1)) % prime }
    }

    private static func isPower(_ residue: UInt32, modulo prime: UInt32) -> Bool {
        var power: UInt32 = 1
        repeat {
            if power == residue { return true }
            power = power * (65537 % prime) % prime
        } while power != 1
        return false
    }
}
