import JSONKit
import SDJWTKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The presentations of a response, each verified once, and the credentials that it names for each query.
struct Submissions {
    /// A presentation, verified.
    struct Presentation {
        let name: String
        let verification: Verification<[PresentedCredential]>
        /// Indicates a holder's proof over another nonce.
        let isForOtherNonce: Bool
    }

    /// The answer to one query.
    struct Answer {
        let query: QueryID
        let presentations: [Presentation]
        /// The credentials that answer, or the reason that they are not where the response says.
        let credentials: Result<[PresentedCredential], CheckFault>
    }

    /// The answers, in the order of the response.
    let answers: [Answer]
    /// All verified credentials, each once.
    let credentials: [PresentedCredential]
    /// The verified credentials that the response names for no query.
    let unrequested: [CredentialName]

    /// Takes the answers of a response that names its credentials apart from them.
    init(_ answers: [Answer], credentials: [PresentedCredential]) {
        self.answers = answers
        self.credentials = credentials
        let named = Set(answers.flatMap { (try? $0.credentials.get()) ?? [] }.map(\.credentialName))
        unrequested = credentials.map(\.credentialName).filter { !named.contains($0) }
    }

    /// Takes the answers of a response whose credentials are those of the answers.
    init(answers: [Answer], credentials: [PresentedCredential]) {
        self.answers = answers
        self.credentials = credentials
        unrequested = []
    }
}

extension PresentationVerifier {
    /// Verifies the presentations of a response, and finds the credentials that it names for each query.
    func submissions(_ response: PresentationResponse, _ session: ResponseSession) async -> Submissions {
        switch (response.token, session.expectation.query) {
        case (.queries(let answers), .dcql(let query)): await submissions(answers, query, session)
        case (.definition(let presentations, let submission), _):
            await submissions(presentations, submission, session)
        // A reader gives no answers of another kind than the query's.
        case (.queries, .definition): Submissions(answers: [], credentials: [])
        }
    }

    private func submissions(
        _ answers: [VPToken.Answer],
        _ query: DCQLQuery,
        _ session: ResponseSession
    ) async -> Submissions {
        var found: [Submissions.Answer] = []
        var all: [PresentedCredential] = []
        var diagnosis = DiagnosisBudget()
        for answer in answers {
            let format = query[answer.query]?.format ?? ""
            let expectation = session.proof(for: [answer.query])
            var presentations: [Submissions.Presentation] = []
            for (place, presentation) in answer.presentations.enumerated() {
                let name = "presentations[\(place)]"
                let verification = await verify(
                    presentation,
                    as: format,
                    expecting: diagnosis.permitted(expectation),
                    named: "\(answer.query.text)[\(place)]"
                )
                diagnosis.spend(on: verification)
                presentations.append(
                    Submissions.Presentation(
                        name: name,
                        verification: verification,
                        isForOtherNonce: isForOtherNonce(
                            presentation,
                            as: format,
                            expecting: expectation,
                            verification
                        )
                    )
                )
            }
            let credentials = presentations.flatMap { $0.verification.verified ?? [] }
            all += credentials
            found.append(
                Submissions.Answer(
                    query: answer.query,
                    presentations: presentations,
                    credentials: .success(credentials)
                )
            )
        }
        return Submissions(answers: found, credentials: all)
    }

    private func submissions(
        _ presentations: [JSONValue],
        _ submission: PresentationSubmission,
        _ session: ResponseSession
    ) async -> Submissions {
        let places = submission.entries.map { entry in
            presentations.indices.first { entry.path == "$[\($0)]" || $0 == 0 && entry.path == "$" }
        }
        var verified: [Int: Submissions.Presentation] = [:]
        var all: [PresentedCredential] = []
        var diagnosis = DiagnosisBudget()
        for (index, presentation) in presentations.enumerated() {
            let entries = zip(submission.entries, places).filter { $0.1 == index }.map(\.0)
            guard let first = entries.first else { continue }
            let (format, name) = (CredentialFormat(first.format), "vp_token[\(index)]")
            let expectation = session.proof(for: entries.map(\.descriptor))
            let verification = await verify(
                presentation,
                as: format,
                expecting: diagnosis.permitted(expectation),
                named: name
            )
            diagnosis.spend(on: verification)
            verified[index] = Submissions.Presentation(
                name: name,
                verification: verification,
                isForOtherNonce: isForOtherNonce(presentation, as: format, expecting: expectation, verification)
            )
            all += verification.verified ?? []
        }
        let answers = zip(submission.entries, places).map { entry, place in
            let presentation = place.flatMap { verified[$0] }
            return Submissions.Answer(
                query: entry.descriptor,
                presentations: [presentation].compactMap { $0 },
                credentials: Result { () throws(CheckFault) in
                    [try entry.credential(among: presentation?.verification.verified ?? [])]
                }
            )
        }
        return Submissions(answers, credentials: all)
    }
}

/// One diagnosis of a transcript for each response: it takes some hundreds of signature checks.
private struct DiagnosisBudget {
    private var isSpent = false

    func permitted(_ expectation: HolderProofExpectation) -> HolderProofExpectation {
        var expectation = expectation
        if isSpent { expectation.knowledge = nil }
        return expectation
    }

    mutating func spend(on verification: Verification<[PresentedCredential]>) {
        if verification.refusal?.reason == .invalidHolderBinding { isSpent = true }
    }
}

extension PresentationSubmission.Entry {
    /// The credential that the entry leads to (Presentation Exchange 2, section 6).
    fileprivate func credential(among credentials: [PresentedCredential]) throws(CheckFault) -> PresentedCredential {
        let format = CredentialFormat(format).credential
        let found: PresentedCredential?
        switch (format, nested.first) {
        // Documents of one response have the same path: the name of the descriptor is the document type.
        case (.mdoc, nil): found = credentials.first { $0.types.contains(ExactText(descriptor.text)) }
        case (_, nil): found = credentials.count == 1 ? credentials.first : nil
        case (.linkedData, let place?), (.jwt, let place?): found = place.credential(among: credentials)
        default: found = nil
        }
        guard let found, nested.count <= 1, nested.isEmpty || format != .sdJWT else {
            throw .failed(.credentialNotFound, "the submission does not lead to one credential", path: [path])
        }
        let last = nested.last.map { CredentialFormat($0.format).credential } ?? format
        guard found.format.current == last else {
            throw .failed(.unexpectedFormat, "the submission names another format", path: [path])
        }
        return found
    }
}

extension PresentationSubmission.Place {
    fileprivate func credential(among credentials: [PresentedCredential]) -> PresentedCredential? {
        guard var names = (try? JSONPathQuery(path))?.claimPath?.components else { return nil }
        if names.first == .name("vp") { names.removeFirst() }
        guard names.first == .name("verifiableCredential") else { return nil }
        switch names.dropFirst().first {
        case nil where credentials.count == 1: return credentials[0]
        case .index(let place) where names.count == 2 && credentials.indices.contains(place): return credentials[place]
        default: return nil
        }
    }
}
