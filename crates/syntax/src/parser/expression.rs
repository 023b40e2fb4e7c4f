//! Parses conditionals, operators and terms.
//!
//! Precedence climbing over the operator table; terms are parsed in the modules beside this one.

use terrane_source::ids;

use super::Parser;
use super::number::is_number;
use super::operator::{LOWEST, Precedence, binary_operator};
use crate::tree::{Literal, UnaryOp};
use crate::{Expr, ExprId, Token, TokenKind};

impl Parser<'_> {
    /// Expression = Conditional
    pub(super) fn expression(&mut self) -> ExprId {
        if !self.descend() {
            return self.missing_here();
        }
        let expr = self.conditional();
        self.ascend();
        expr
    }

    /// Conditional = Binary ("?" Expression ":" Expression)?
    fn conditional(&mut self) -> ExprId {
        let before = self.error_count;
        let start = self.next_span();
        let condition = self.binary(LOWEST);
        if self.failed(before) || !self.eat(TokenKind::Question) {
            return condition;
        }
        let before = self.error_count;
        let yes = self.expression();
        if self.failed(before) {
            return condition;
        }
        if self.kind != TokenKind::Colon {
            let detail = "A conditional needs a second result: condition ? result if true : result if false.";
            self.error_behind(ids::MISSING_FALSE_EXPRESSION, detail, Some(start));
            return condition;
        }
        self.bump();
        let before = self.error_count;
        let no = self.expression();
        if self.failed(before) {
            return condition;
        }
        let span = self.tree.span(condition).to(self.tree.span(no));
        self.tree.add_expr(Expr::Conditional { condition, yes, no }, span)
    }

    /// Binary = Operand (operator Operand)*
    ///
    /// Reads operators of at least the precedence `lowest`.
    fn binary(&mut self, lowest: Precedence) -> ExprId {
        let before = self.error_count;
        let mut left = self.operand();
        if self.failed(before) {
            return left;
        }
        while let Some((op, precedence)) = binary_operator(self.kind) {
            if precedence < lowest {
                break;
            }
            self.bump();
            let before = self.error_count;
            let right = self.binary(precedence + 1);
            if self.failed(before) {
                return left;
            }
            let span = self.tree.span(left).to(self.tree.span(right));
            left = self.tree.add_expr(Expr::Binary { op, left, right }, span);
        }
        left
    }

    /// Operand = Term Step*
    #[expect(clippy::wildcard_enum_match_arm, reason = "all other tokens begin no expression")]
    fn operand(&mut self) -> ExprId {
        let term = match self.kind {
            TokenKind::Ident => return self.name(),
            TokenKind::Minus => return self.unary(UnaryOp::Negate),
            TokenKind::Not => return self.unary(UnaryOp::Not),
            TokenKind::Number => self.number(),
            TokenKind::OpenQuote => self.quoted_template(),
            TokenKind::OpenHeredoc => self.heredoc(),
            TokenKind::OpenParen => self.parens(),
            TokenKind::OpenBracket => self.tuple(),
            TokenKind::OpenBrace => self.object(),
            _ => self.no_expression(),
        };
        self.steps_behind(term)
    }

    /// Unary = ("-" | "!") Operand
    fn unary(&mut self, op: UnaryOp) -> ExprId {
        if !self.descend() {
            return self.missing_here();
        }
        let symbol = self.bump();
        let operand = self.operand();
        self.ascend();
        let span = symbol.span().to(self.tree.span(operand));
        self.tree.add_expr(Expr::Unary { op, operand }, span)
    }

    /// Name = Call | "true" | "false" | "null" | identifier
    fn name(&mut self) -> ExprId {
        let name = self.bump();
        if self.kind == TokenKind::OpenParen || self.kind == TokenKind::DoubleColon {
            let call = self.call(name);
            return self.steps_behind(call);
        }
        let literal = match self.text(name) {
            "true" => Literal::Bool(true),
            "false" => Literal::Bool(false),
            "null" => Literal::Null,
            _ => return self.traversal(name),
        };
        let literal = self.tree.add_expr(Expr::Literal(literal), name.span());
        self.steps_behind(literal)
    }

    fn number(&mut self) -> ExprId {
        let number = self.bump();
        self.check_number(number);
        self.tree.add_expr(Expr::Literal(Literal::Number), number.span())
    }

    pub(super) fn check_number(&mut self, number: Token) {
        if !is_number(self.text(number)) {
            let detail = "A number has at most one decimal point and one exponent, such as 1.5e3, and its \
                          exponent may not be extremely large.";
            self.report(self.diagnostic(ids::INVALID_NUMBER, detail, number.span()));
        }
    }

    /// Parens = "(" Expression ")"
    fn parens(&mut self) -> ExprId {
        let open = self.bump();
        let newlines = self.set_newlines(false);
        let before = self.error_count;
        let inner = self.expression();
        if self.error_count > before {
            self.recover(TokenKind::CloseParen);
            self.set_newlines(newlines);
            return inner;
        }
        if self.kind != TokenKind::CloseParen {
            let detail = "A closing parenthesis must follow the expression.";
            let open = open.span();
            if let Some(diagnostic) = self.diagnostic_behind(ids::UNBALANCED_PARENTHESES, detail, Some(open))
            {
                self.report(diagnostic.label(open, "opened here"));
            }
            self.recovery = true;
        } else {
            self.bump();
        }
        let span = open.span().to(self.last_span());
        self.set_newlines(newlines);
        self.tree.add_expr(Expr::Parens(inner), span)
    }

    fn no_expression(&mut self) -> ExprId {
        if !self.recovery {
            let (id, detail) = if self.kind == TokenKind::End {
                (ids::MISSING_EXPRESSION, "An expression must start here, but the text ends.")
            } else {
                (ids::INVALID_EXPRESSION, "An expression must start here.")
            };
            if let Some(diagnostic) = self.diagnostic_at(self.next, id, detail, None) {
                let diagnostic = self.with_open_bracket(diagnostic);
                self.report(diagnostic);
            }
        }
        self.recovery = true;
        self.missing_here()
    }
}
