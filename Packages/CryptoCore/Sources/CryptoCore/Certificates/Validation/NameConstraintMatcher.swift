/// Applies the name constraints of one issuer to certificates below it (RFC 5280, 4.2.1.10).
struct NameConstraintMatcher {
    /// The largest product of names and subtrees that is compared; more refuses the certificate, as it could take long.
    static let maximumComparisons = 1 << 16

    private let constraints: NameConstraints

    init(_ constraints: NameConstraints) {
        self.constraints = constraints
    }

    /// The violation of the constraints by a certificate's names, in a sentence, or nil.
    func violation(of certificate: Certificate) -> String? {
        let names: [GeneralName]
        do {
            names = try Self.names(of: certificate)
        } catch {
            return "its names cannot be read: \(error)"
        }
        let subtreeCount = constraints.permitted.count + constraints.excluded.count
        let (comparisons, overflow) = names.count.multipliedReportingOverflow(by: subtreeCount)
        guard !overflow, comparisons <= Self.maximumComparisons else {
            return "there are too many names (\(names.count)) and constraints (\(subtreeCount)) to compare"
        }
        return names.lazy.compactMap(violation).first
    }

    /// The subject, where it is not empty, the subjectAltNames and, if there are none, e-mail addresses in the
    /// subject.
    private static func names(of certificate: Certificate) throws(CryptoError) -> [GeneralName] {
        let subject = certificate.subject
        var names: [GeneralName] = subject.isEmpty ? [] : [.directory(subject)]
        if let alternative = try certificate.subjectAlternativeName {
            names += alternative.names
        } else {
            names += subject.values(of: .emailAddress).map { .email($0) }
        }
        return names
    }

    private func violation(of name: GeneralName) -> String? {
        for subtree in constraints.excluded where name.hasSameForm(as: subtree) {
            if name.isWithin(subtree) ?? true { return "the name \(name) lies in an excluded subtree" }
        }
        let permitted = constraints.permitted.filter { name.hasSameForm(as: $0) }
        guard !permitted.isEmpty, !permitted.contains(where: { name.isWithin($0) ?? false }) else { return nil }
        return "the name \(name) lies in no permitted subtree"
    }
}
