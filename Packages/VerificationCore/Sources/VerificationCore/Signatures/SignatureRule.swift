#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The signatures of an object that must verify, where it has several.
public enum SignatureRule: Hashable, Sendable {
    /// At least one.
    case any
    /// Every one, so that the verifier needs all the keys.
    case all
    /// The one at this place, counted from 0.
    case signature(at: Int)
}

extension Verification {
    /// Verifies those signatures of an object whose keys the caller has; they become its parts `signatures[0]` and so on.
    ///
    /// - Parameters:
    ///   - signatures: The signatures, in the order of the object.
    ///   - rule: The signatures that must verify.
    ///   - time: The time for which the object is verified.
    ///   - key: The trusted key for a signature, or nil if the caller has none.
    ///   - verify: Verifies the signature at a place, counted from 0, with its key; the value is the part that the
    ///     signature covers.
    /// - Returns: The value of the first signature that the rule needs and that verified, if the rule is met.
    public static func of<Signature, Key>(
        signatures: [Signature],
        requiring rule: SignatureRule,
        at time: Date,
        key: (Signature) throws(CheckFault) -> Key?,
        verify: (Int, Key) throws(CheckFault) -> Value
    ) -> Verification<Value> {
        let parts = signatures.enumerated().map { index, signature in
            var checklist = Checklist([.signature], at: time)
            let value = checklist.check(.signature) { () throws(CheckFault) in
                guard let key = try key(signature) else {
                    throw .unavailable(.issuerKeyNotFound, "the caller has no key for it")
                }
                return try verify(index, key)
            }
            return checklist.verification(of: value)
        }
        return of(parts, requiring: rule, at: time)
    }

    /// The verification of an object by those of its signatures.
    private static func of(
        _ signatures: [Verification<Value>],
        requiring rule: SignatureRule,
        at time: Date
    ) -> Verification<Value> {
        var checklist = Checklist([.signatures], at: time)
        for (index, signature) in signatures.enumerated() {
            checklist.add(signature, named: "signatures[\(index)]", isMandatory: false)
        }
        let value = checklist.check(.signatures) { () throws(CheckFault) in
            try rule.value(of: signatures)
        }
        return checklist.verification(of: value)
    }
}

extension SignatureRule {
    fileprivate func value<Value>(of signatures: [Verification<Value>]) throws(CheckFault) -> Value {
        switch self {
        case .any:
            if let value = signatures.lazy.compactMap(\.verified).first { return value }
        case .all:
            if let value = signatures.first?.verified, signatures.allSatisfy({ $0.verified != nil }) { return value }
        case .signature(let index):
            guard signatures.indices.contains(index) else {
                throw .failed(.notEnoughSignatures, "there is no signature \(index) among \(signatures.count)")
            }
            if let value = signatures[index].verified { return value }
            throw Self.fault(signatures[index].refusal, at: index)
        }
        // What failed decides before what could not be checked.
        let refusals = signatures.enumerated().compactMap { index, signature in
            signature.refusal.map { (index: index, refusal: $0) }
        }
        let decisive = refusals.first { !$0.refusal.isUnavailable } ?? refusals.first
        guard let decisive else { throw .failed(.notEnoughSignatures, "there is no signature") }
        throw Self.fault(decisive.refusal, at: decisive.index)
    }

    private static func fault(_ refusal: Refusal?, at index: Int) -> CheckFault {
        let path = ["signatures[\(index)]"]
        guard let refusal else { return .failed(.notEnoughSignatures, "there is no signature", path: path) }
        return refusal.isUnavailable
            ? .unavailable(refusal.reason, refusal.message, path: path + refusal.path)
            : .failed(refusal.reason, refusal.message, path: path + refusal.path)
    }
}
