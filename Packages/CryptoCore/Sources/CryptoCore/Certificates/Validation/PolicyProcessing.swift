/// The policies of a path, from the anchor down (RFC 5280, 6.1, with any policy acceptable to the user and none demanded).
///
/// Only the existence of a policy for the whole path counts. The nodes of one depth of the valid policy tree suffice
/// for that: a set, which cannot grow as the tree does.
struct PolicyProcessing {
    /// The policies that the next certificate may assert: the expected policies of the nodes of the last depth, without
    /// those of a node for anyPolicy.
    private var expected: Set<OID> = []
    /// Indicates that the last depth has a node for anyPolicy, below which every policy is expected.
    private var expectsAny = true

    /// The certificates that may follow before a policy is required, before mappings and before anyPolicy no longer
    /// count.
    private var explicitPolicy: Int
    private var policyMapping: Int
    private var anyPolicy: Int

    /// Starts with the policies and constraints of the anchor, where it has any (RFC 5937, section 3.2).
    ///
    /// The policies of the anchor are the only acceptable ones. Its constraints count as those of an issuer.
    ///
    /// - Parameter count: The number of certificates below the anchor.
    init(anchor: Certificate, count: Int) throws(CryptoError) {
        (explicitPolicy, policyMapping, anyPolicy) = (count + 1, count + 1, count + 1)
        if let policies = try anchor.certificatePolicies?.policies, !policies.contains(.anyPolicy) {
            (expected, expectsAny) = (Set(policies), false)
        }
        try constrain(by: anchor)
    }

    /// Indicates that no policy is valid for the path so far, and that one is required.
    var isRefused: Bool { explicitPolicy == 0 && expected.isEmpty && !expectsAny }

    /// Takes the policies of the next certificate (6.1.3 (d) to (e)).
    mutating func apply(_ certificate: Certificate, isLeaf: Bool) throws(CryptoError) {
        guard let asserted = try certificate.certificatePolicies.map({ Set($0.policies) }) else {
            (expected, expectsAny) = ([], false)
            return
        }
        let assertsAny = asserted.contains(.anyPolicy) && (anyPolicy > 0 || (!isLeaf && certificate.isSelfIssued))
        var valid = asserted.subtracting([.anyPolicy])
        if !expectsAny { valid.formIntersection(expected) }
        if assertsAny { valid.formUnion(expected) }
        (expected, expectsAny) = (valid, expectsAny && assertsAny)
    }

    /// Takes the mappings and constraints of an issuer for the certificates below it (6.1.4 (a), (b) and (h) to (j)).
    ///
    /// - Returns: `false` if the issuer maps anyPolicy, which refuses the path.
    mutating func prepare(below issuer: Certificate) throws(CryptoError) -> Bool {
        if let mappings = try issuer.policyMappings?.mappings {
            guard
                !mappings.contains(where: {
                    $0.issuerDomainPolicy == .anyPolicy || $0.subjectDomainPolicy == .anyPolicy
                })
            else { return false }
            map(mappings)
        }
        if !issuer.isSelfIssued { countDown() }
        try constrain(by: issuer)
        return true
    }

    /// Finishes with the leaf (6.1.5 (a), (b)).
    mutating func wrapUp(_ leaf: Certificate) throws(CryptoError) {
        explicitPolicy = max(0, explicitPolicy - 1)
        if try leaf.policyConstraints?.requireExplicitPolicy == 0 { explicitPolicy = 0 }
    }

    private mutating func map(_ mappings: [PolicyMappings.Mapping]) {
        let mapped = Set(mappings.map(\.issuerDomainPolicy))
        let valid = expected
        expected.subtract(mapped)
        guard policyMapping > 0 else { return }
        for mapping in mappings where expectsAny || valid.contains(mapping.issuerDomainPolicy) {
            expected.insert(mapping.subjectDomainPolicy)
        }
    }

    private mutating func countDown() {
        explicitPolicy = max(0, explicitPolicy - 1)
        policyMapping = max(0, policyMapping - 1)
        anyPolicy = max(0, anyPolicy - 1)
    }

    private mutating func constrain(by issuer: Certificate) throws(CryptoError) {
        if let constraints = try issuer.policyConstraints {
            explicitPolicy = min(explicitPolicy, constraints.requireExplicitPolicy ?? explicitPolicy)
            policyMapping = min(policyMapping, constraints.inhibitPolicyMapping ?? policyMapping)
        }
        anyPolicy = min(anyPolicy, try issuer.inhibitAnyPolicy?.skippedCertificates ?? anyPolicy)
    }
}

extension CertificatePathEvaluation {
    /// Checks that a policy holds for the whole path where an issuer requires one.
    ///
    /// Without policyConstraints and policyMappings no policy can refuse a path, and nothing is read.
    func checkPolicies() throws(CheckFault) {
        guard path.members.contains(where: { $0.certificate.constrainsPolicies }) else { return }
        var policies = try read(path.anchor) { (anchor) throws(CryptoError) in
            try PolicyProcessing(anchor: anchor, count: path.members.count - 1)
        }
        for member in path.members.reversed() where !member.isAnchor {
            let isLeaf = member.index == path.leaf.index
            let isMapped = try read(member) { (certificate) throws(CryptoError) in
                try policies.apply(certificate, isLeaf: isLeaf)
                if !isLeaf, !policies.isRefused { return try policies.prepare(below: certificate) }
                if isLeaf { try policies.wrapUp(certificate) }
                return true
            }
            guard isMapped else {
                throw fault(.invalidCertificatePolicy, member, "it maps anyPolicy to another policy")
            }
            guard !policies.isRefused else {
                let message = "an issuer requires a certificate policy, and none holds for the path down to it"
                throw fault(.invalidCertificatePolicy, member, message)
            }
        }
    }

    private func read<Value>(
        _ member: CertificatePath.Member,
        _ body: (Certificate) throws(CryptoError) -> Value
    ) throws(CheckFault) -> Value {
        do throws(CryptoError) {
            return try body(member.certificate)
        } catch {
            throw fault(.malformedCertificate, member, error.description)
        }
    }
}

extension Certificate {
    /// Indicates an extension by which policies can refuse a path.
    fileprivate var constrainsPolicies: Bool {
        self.extension(.policyConstraints) != nil || self.extension(.policyMappings) != nil
    }
}
